import { answerRenderRequests } from '../platform/render-thread.ts';
import { writeLabels } from './pdf.ts';

answerRenderRequests(writeLabels);
