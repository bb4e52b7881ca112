// The three-dimensional view: renderer, camera, light and floor. It draws only when something
// changed, so that a page left open costs nothing.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

import { Floor, gridSpacing } from './floor';

const kUp = new THREE.Vector3(0, 1, 0);
const kViewFrom = new THREE.Vector3(0.62, 0.5, 1).normalize();

function makeBackground(): THREE.Texture {
  const canvas = document.createElement('canvas');
  canvas.width = 4;
  canvas.height = 256;
  const context = canvas.getContext('2d')!;
  const gradient = context.createLinearGradient(0, 0, 0, canvas.height);
  gradient.addColorStop(0, '#262b31');
  gradient.addColorStop(0.55, '#1b1f24');
  gradient.addColorStop(1, '#121519');
  context.fillStyle = gradient;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}

// Whether pictures are computed by the processor: shadows and smoothed edges then cost more than
// the rest of the page, and a session that is steered would lag behind the hand.
function isRenderedInSoftware(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  if (!context) return true;
  const info = context.getExtension('WEBGL_debug_renderer_info');
  const name = info ? String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  context.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Stage {
  readonly scene = new THREE.Scene();
  private readonly renderer: THREE.WebGLRenderer;
  readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private readonly key = new THREE.DirectionalLight('#fff4e8', 2.05);
  private readonly floor: Floor;
  private bounds = new THREE.Box3(new THREE.Vector3(-1, 0, -1), new THREE.Vector3(1, 1, 1));
  private dirty = true;

  readonly economical: boolean; // plain pictures, quickly

  // `hurried`: pictures must come quickly, also where no graphics processor makes them.
  constructor(readonly canvas: HTMLCanvasElement, hurried = false) {
    this.economical = hurried && isRenderedInSoftware();
    document.body.classList.toggle('economical', this.economical);
    this.floor = new Floor(!this.economical);
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !this.economical });
    this.renderer.shadowMap.enabled = !this.economical;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener('change', () => this.invalidate());
    this.addLights();
    this.scene.background = makeBackground();
    this.scene.add(this.floor.group);
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
  }

  invalidate(): void {
    this.dirty = true;
  }

  // Whether drags turn and move the view.
  setTurning(turning: boolean): void {
    this.controls.enabled = turning;
  }

  // Points a ray to where the pointer is.
  aim(ray: THREE.Raycaster, event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    const x = (2 * (event.clientX - box.left)) / box.width - 1;
    const y = 1 - (2 * (event.clientY - box.top)) / box.height;
    ray.setFromCamera(new THREE.Vector2(x, y), this.camera);
  }

  // Once a screen refresh.
  update(): void {
    this.controls.update();
    if (!this.dirty) return;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
  }

  // The picture as it is now. Drawn and read in one go, because the browser clears the buffer after.
  snapshot(): HTMLCanvasElement {
    this.renderer.render(this.scene, this.camera);
    const copy = document.createElement('canvas');
    copy.width = this.canvas.width;
    copy.height = this.canvas.height;
    copy.getContext('2d')!.drawImage(this.canvas, 0, 0);
    return copy;
  }

  // Sets floor, shadow and depth range for what is recorded, and looks at it. Returns the grid's
  // spacing, m.
  setBounds(bounds: THREE.Box3): number {
    this.bounds = bounds.clone();
    const size = Math.max(...bounds.getSize(new THREE.Vector3()).toArray(), 1e-3);
    // Scenes stand on y = 0 unless they reach below it or hover far above it.
    const isNear = bounds.min.y >= -0.05 * size && bounds.min.y <= size;
    const height = isNear ? Math.min(0, bounds.min.y) : bounds.min.y;
    this.bounds.expandByPoint(bounds.getCenter(new THREE.Vector3()).setY(height));
    this.floor.place(this.bounds, height);
    this.placeLight(size);
    this.camera.near = size / 100;
    this.camera.far = size * 60;
    this.controls.minDistance = size / 20;
    this.controls.maxDistance = size * 20;
    this.frameAll();
    return gridSpacing(Math.max(...this.bounds.getSize(new THREE.Vector3()).toArray()));
  }

  frameAll(): void {
    const sphere = this.bounds.getBoundingSphere(new THREE.Sphere());
    const vertical = (this.camera.fov * Math.PI) / 360;
    const half = Math.min(vertical, Math.atan(Math.tan(vertical) * this.camera.aspect));
    const distance = (0.88 * sphere.radius) / Math.sin(half);
    // Without damping for a moment, so that what is left of a drag does not turn the new view.
    this.controls.enableDamping = false;
    this.controls.update();
    this.controls.target.copy(sphere.center);
    this.camera.up.copy(kUp);
    this.camera.position.copy(sphere.center).addScaledVector(kViewFrom, distance);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.controls.enableDamping = true;
    this.invalidate();
  }

  private addLights(): void {
    const sky = new THREE.HemisphereLight('#dfe8f2', '#4a3f38', 1.25);
    const rim = new THREE.DirectionalLight('#9db8d8', 0.9);
    rim.position.set(-1, 0.6, -1.2);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(1024, 1024);
    this.key.shadow.radius = 5;
    this.scene.add(sky, rim, this.key, this.key.target);
  }

  private placeLight(size: number): void {
    const centre = this.bounds.getCenter(new THREE.Vector3());
    this.key.target.position.copy(centre);
    this.key.position.copy(centre).add(new THREE.Vector3(0.8, 2.2, 0.9).multiplyScalar(size));
    const camera = this.key.shadow.camera;
    const reach = 1.3 * size;
    Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach });
    camera.near = 0.1 * size;
    camera.far = 6 * size;
    camera.updateProjectionMatrix();
    this.key.shadow.normalBias = 0.004 * size;
    this.key.shadow.bias = -0.0005;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement!;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, this.economical ? 0.5 : 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    // At once: a resized canvas is blank until it is drawn.
    this.renderer.render(this.scene, this.camera);
  }
}
