export { DoorPackages } from '../../routes/DoorPackages.tsx';
export { FinishedRounds } from '../../routes/FinishedRounds.tsx';
export { FinishRound } from '../../routes/FinishRound.tsx';
export { PlannedRound } from '../../routes/PlannedRound.tsx';
export { RoundChanges } from '../../routes/RoundChanges.tsx';
export { RoundList } from '../../routes/RoundList.tsx';
export { RoundNote } from '../../routes/RoundNote.tsx';
export { ShiftOver } from '../../routes/ShiftOver.tsx';
