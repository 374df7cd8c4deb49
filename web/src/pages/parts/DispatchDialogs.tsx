/** The dialogs of the dispatch screen, loaded when the first one opens. */
export { AssignDialog } from '../../routes/AssignDialog.tsx';
export { IllDialog } from '../../routes/IllDialog.tsx';
export { PlaceDialog } from '../../routes/PlaceDialog.tsx';
export { PlanDialog } from '../../routes/PlanDialog.tsx';
export { RouteDialog } from '../../routes/RouteDialog.tsx';
export { SplitDialog } from '../../routes/SplitDialog.tsx';
