import { loadMapTexts } from '../maps/map-texts.ts';
import { TrackMap } from './TrackMap.tsx';

export async function openTrackMap(): Promise<typeof TrackMap> {
  await loadMapTexts();
  return TrackMap;
}
