// A PNG of the view with its legend and a caption, as a download.

import type { ColourControl } from './colour_control';
import type { Stage } from './stage';

export async function saveScreenshot(
  stage: Stage,
  colours: ColourControl,
  caption: string,
  scene: string,
  frame: number,
): Promise<void> {
  const picture = stage.snapshot();
  const context = picture.getContext('2d')!;
  const scale = Math.min(window.devicePixelRatio, 2);
  colours.drawLegend(context, scale);
  context.fillStyle = '#8a949f';
  context.font = `${12 * scale}px system-ui, sans-serif`;
  context.textBaseline = 'bottom';
  context.fillText(caption, 20 * scale, picture.height - 14 * scale);
  const blob = await new Promise<Blob | null>((done) => picture.toBlob(done, 'image/png'));
  if (!blob) throw new Error('the browser could not make a PNG of the view');
  const link = document.createElement('a');
  const name = scene.replaceAll(/[^A-Za-z0-9_-]+/g, '-') || 'scene';
  link.download = `${name}-${String(frame).padStart(4, '0')}.png`;
  link.href = URL.createObjectURL(blob);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
