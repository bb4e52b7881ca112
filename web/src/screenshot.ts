// A PNG of the view with its legend and a caption, as a download.

import type { Stage } from './stage';

// Of a frame of a scene.
export function frameName(scene: string, frame: number): string {
  return `${scene}-${String(frame).padStart(4, '0')}`;
}

export async function saveScreenshot(
  stage: Stage,
  caption: string,
  file: string, // without .png
  drawLegend: (context: CanvasRenderingContext2D, scale: number) => void = () => undefined,
): Promise<void> {
  const picture = stage.snapshot();
  const context = picture.getContext('2d')!;
  const scale = Math.min(window.devicePixelRatio, 2);
  drawLegend(context, scale);
  context.fillStyle = '#8a949f';
  context.font = `${12 * scale}px system-ui, sans-serif`;
  context.textBaseline = 'bottom';
  context.fillText(caption, 20 * scale, picture.height - 14 * scale);
  const blob = await new Promise<Blob | null>((done) => picture.toBlob(done, 'image/png'));
  if (!blob) throw new Error('the browser could not make a PNG of the view');
  const link = document.createElement('a');
  link.download = `${file.replaceAll(/[^A-Za-z0-9_-]+/g, '-') || 'picture'}.png`;
  link.href = URL.createObjectURL(blob);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
