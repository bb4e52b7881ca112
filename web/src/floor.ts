// The floor: a grid in metres that fades out, with the bodies' shadow on it.

import * as THREE from 'three';

const kVertexShader = /* glsl */ `
  varying vec2 place;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    place = world.xz;
    gl_Position = projectionMatrix * viewMatrix * world;
  }
`;

// Lines one pixel wide at any distance: the derivative of the place tells how wide a pixel is.
const kFragmentShader = /* glsl */ `
  varying vec2 place;
  uniform vec2 centre;
  uniform float spacing;
  uniform float radius;
  uniform vec3 tint;

  float lines(float step) {
    vec2 cell = place / step;
    vec2 pixel = max(fwidth(cell), vec2(1e-6));
    vec2 distance = abs(fract(cell - 0.5) - 0.5) / pixel;
    vec2 fade = 1.0 - smoothstep(0.2, 0.6, pixel);
    vec2 line = (1.0 - min(distance, 1.0)) * fade;
    return max(line.x, line.y);
  }

  void main() {
    float away = 1.0 - smoothstep(0.1, 0.8, length(place - centre) / radius);
    float strength = max(0.13 * lines(spacing), 0.32 * lines(10.0 * spacing));
    gl_FragColor = vec4(tint, strength * away);
    #include <colorspace_fragment>
  }
`;

// The largest of 1, 0.1, 0.01 ... m that leaves some ten cells across the scene.
export function gridSpacing(extent: number): number {
  return 10 ** Math.floor(Math.log10(Math.max(extent, 1e-6) / 2));
}

export class Floor {
  readonly group = new THREE.Group();
  private readonly grid: THREE.ShaderMaterial;

  constructor(shadows: boolean) {
    this.grid = new THREE.ShaderMaterial({
      vertexShader: kVertexShader,
      fragmentShader: kFragmentShader,
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      uniforms: {
        centre: { value: new THREE.Vector2() },
        spacing: { value: 1 },
        radius: { value: 1 },
        tint: { value: new THREE.Color('#8d9aa8') },
      },
    });
    const plane = new THREE.PlaneGeometry(2, 2).rotateX(-Math.PI / 2);
    const shadow = new THREE.Mesh(plane, new THREE.ShadowMaterial({ opacity: 0.42 }));
    shadow.receiveShadow = true;
    shadow.material.depthWrite = false;
    // From below the floor would hide nothing but its shadow would still darken the view.
    shadow.material.side = THREE.FrontSide;
    const lines = new THREE.Mesh(plane, this.grid);
    shadow.renderOrder = -2;
    lines.renderOrder = -1;
    this.group.add(lines);
    if (shadows) this.group.add(shadow);
  }

  // `bounds` of all that is shown, m; `height` of the floor, m.
  place(bounds: THREE.Box3, height: number): void {
    const centre = bounds.getCenter(new THREE.Vector3());
    const extent = Math.max(...bounds.getSize(new THREE.Vector3()).toArray());
    const radius = 4 * extent;
    this.group.position.set(centre.x, height - 1e-4 * extent, centre.z);
    this.group.scale.setScalar(radius);
    this.grid.uniforms.centre!.value.set(centre.x, centre.z);
    this.grid.uniforms.radius!.value = radius;
    this.grid.uniforms.spacing!.value = gridSpacing(extent);
  }
}
