// The stage has y up; what is shown may stand along another axis of its own.

import * as THREE from 'three';

// The group that turns its children from `up` (x, y, z, -x, -y, -z) to y, by the shortest way.
export function makeUpright(up: string): THREE.Group {
  const axis = new THREE.Vector3();
  axis.setComponent('xyz'.indexOf(up.at(-1)!), up.startsWith('-') ? -1 : 1);
  const group = new THREE.Group();
  group.quaternion.setFromUnitVectors(axis, new THREE.Vector3(0, 1, 0));
  group.updateMatrixWorld(true);
  return group;
}
