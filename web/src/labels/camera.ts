/** Why there is no picture: each has its words in the texts. */
export type CameraProblem = 'refused' | 'none' | 'busy' | 'insecure' | 'failed';

export interface Camera {
  stream: MediaStream;
  /** Turns the light on or off; null where there is none. */
  torch: ((on: boolean) => Promise<void>) | null;
  stop(): void;
}

const problems: Record<string, CameraProblem> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/** Asks for the camera at the back, so only after a click. @returns the camera, or why there is none */
export async function openCamera(): Promise<Camera | CameraProblem> {
  // Not there outside of secure contexts, whatever TypeScript says.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (!devices) return window.isSecureContext ? 'none' : 'insecure';
  try {
    const stream = await devices.getUserMedia({
      audio: false,
      video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
    });
    const [track] = stream.getVideoTracks();
    // In no TypeScript definition: it is Chrome's alone.
    const { torch } = (track?.getCapabilities?.() ?? {}) as { torch?: boolean };
    return {
      stream,
      torch: track && torch ? (on) => track.applyConstraints({ advanced: [{ torch: on } as object] }) : null,
      stop: () => stream.getTracks().forEach((one) => one.stop()),
    };
  } catch (error) {
    return (error instanceof Error && problems[error.name]) || 'failed';
  }
}
