"""A small recording as runs on a skeleton leave them, written with h5py after docs/recording.md: an
upper arm and a forearm along z, two muscles that take turns, and their lines of action.

Usage: skeleton_recording.py RECORDING.h5
"""
import sys

import h5py
import numpy as np

FRAMES = 24
RATE = 24.0


def tube(start, end, radius, waist=0.0, rings=17, sides=20):
    """Vertices and triangles of a closed tube, thicker in its middle by `waist`."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    along = (end - start) / np.linalg.norm(end - start)
    first = np.cross(along, [0.31, 0.95, 0.04])
    first /= np.linalg.norm(first)
    second = np.cross(along, first)
    vertices = []
    for t in np.linspace(0, 1, rings):
        wide = radius + waist * np.sin(np.pi * t) ** 2
        for angle in np.arange(sides) * 2 * np.pi / sides:
            vertices.append(start + t * (end - start)
                            + wide * (np.cos(angle) * first + np.sin(angle) * second))
    triangles = []
    for ring in range(rings - 1):
        for side in range(sides):
            a, b = ring * sides + side, ring * sides + (side + 1) % sides
            triangles += [[a, b, a + sides], [b, b + sides, a + sides]]
    vertices += [start, end]
    for side in range(sides):
        after = (side + 1) % sides
        last = (rings - 1) * sides
        triangles += [[rings * sides, after, side], [rings * sides + 1, last + side, last + after]]
    return np.array(vertices), np.array(triangles)


def flexed(point, angle):
    """A point of the forearm, turned about the elbow at the origin (the x axis)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(point) @ np.array([[1, 0, 0], [0, c, s], [0, -s, c]])


def bodies_at(angle, activation):
    """name -> (vertices, triangles, fields, has simulated nodes)."""
    flexor, extensor = activation
    ends = {"flexor": ([0, -0.035, 0.24], [0, -0.02, -0.05], 0.012 + 0.004 * flexor, flexor),
            "extensor": ([0, 0.035, 0.24], [0, 0.025, -0.02], 0.01 + 0.004 * extensor, extensor)}
    bodies, lines = {}, []
    for name, (origin, insertion, waist, value) in ends.items():
        insertion = flexed(insertion, angle)
        vertices, triangles = tube(origin, insertion, 0.006, waist)
        fields = {"activation": np.full(len(vertices), value),
                  "volume_ratio": np.full(len(vertices), 1 + 0.01 * value)}
        bodies[name] = (vertices, triangles, fields, True)
        lines.append((*tube(origin, insertion, 0.002, sides=6), value))
    bodies["upper_arm"] = (*tube([0, 0, 0.28], [0, 0, 0.012], 0.016, -0.005), {}, False)
    bodies["forearm"] = (*tube(flexed([0, 0, -0.012], angle), flexed([0, 0, -0.24], angle), 0.014,
                               -0.005), {}, False)
    first = len(lines[0][0])
    bodies["lines_of_action"] = (
        np.concatenate([line[0] for line in lines]),
        np.concatenate([line[1] + first * i for i, line in enumerate(lines)]),
        {"activation": np.concatenate([np.full(len(line[0]), line[2]) for line in lines])}, False)
    return bodies


def write_dataset(file, path, values, chunk, sizes):
    """In checksummed chunks. h5py's own call refuses chunks of data that are empty."""
    layout = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    layout.set_chunk(tuple(max(n, 1) for n in chunk))
    layout.set_fletcher32()
    links = h5py.h5p.create(h5py.h5p.LINK_CREATE)
    links.set_create_intermediate_group(True)
    space = h5py.h5s.create_simple(values.shape, sizes)
    h5py.h5d.create(file.id, path.encode(), h5py.h5t.py_create(values.dtype), space, layout, links)
    if values.size > 0:
        file[path][...] = values
    return file[path]


def write_fixed(file, path, values, dtype):
    values = np.asarray(values, dtype)
    write_dataset(file, path, values, values.shape, values.shape)


def write_growing(file, path, rows, dtype):
    rows = np.asarray(rows, dtype)
    return write_dataset(file, path, rows, (1, *rows.shape[1:]),
                         (h5py.h5s.UNLIMITED, *rows.shape[1:]))


def write_columns(file, group, columns):
    """`columns`: name -> (rows, unit, dtype)."""
    file.require_group(group).attrs["names"] = np.array(list(columns), "S")
    for name, (rows, unit, dtype) in columns.items():
        write_growing(file, f"{group}/{name}", rows, dtype).attrs["unit"] = np.bytes_(unit)


def write_body(file, name, frames):
    group = f"bodies/{name}"
    vertices, triangles, fields, has_nodes = frames[0]
    nodes = vertices[[0, 90, 180, 270]] if has_nodes else np.zeros((0, 3))
    write_fixed(file, f"{group}/rest_surface", vertices, "<f4")
    write_fixed(file, f"{group}/triangles", triangles, "<u4")
    write_fixed(file, f"{group}/rest_nodes", nodes, "<f4")
    write_fixed(file, f"{group}/tets", [[0, 1, 2, 3]] if has_nodes else np.zeros((0, 4)), "<u4")
    write_growing(file, f"{group}/surface", [frame[0] for frame in frames], "<f4")
    write_growing(file, f"{group}/nodes", [nodes] * len(frames), "<f4")
    write_columns(file, f"{group}/fields",
                  {field: ([frame[2][field] for frame in frames], "1", "<f4") for field in fields})


def write(path):
    times = np.arange(FRAMES) / RATE
    angles = 0.2 + 1.5 * np.sin(np.pi * times / times[-1]) ** 2
    activations = np.stack([np.sin(np.pi * times / times[-1]) ** 2,
                            0.5 * np.cos(np.pi * times / times[-1]) ** 2], axis=1)
    frames = [bodies_at(*state) for state in zip(angles, activations)]
    with h5py.File(path, "w", libver="latest") as file:
        for name, text in {"format": "sinew-recording", "version": "0.1.0", "up": "z",
                           "scene_name": "skeleton"}.items():
            file.attrs[name] = np.bytes_(text)
        file.attrs["format_version"] = np.uint64(1)
        file.attrs["planned_frames"] = np.uint64(FRAMES)
        file.attrs["frame_rate"] = RATE
        write_fixed(file, "scene_text", np.frombuffer(b"name = 'skeleton'\n", np.uint8), np.uint8)
        write_growing(file, "frames/time", times, "<f8")
        write_growing(file, "frames/end", np.ones(FRAMES), "<u8")
        write_growing(file, "frames/state_hash", np.arange(FRAMES), "<u8")
        write_growing(file, "frames/finished", [1], "u1")
        write_columns(file, "certificate", {
            "min_volume_ratio": (1 - 0.1 * activations[:, 0], "1", "<f8"),
            "activation.flexor.all": (activations[:, 0], "1", "<f8"),
            "activation.extensor.all": (activations[:, 1], "1", "<f8"),
            "coordinate.elbow": (angles, "rad", "<f8"),
            "muscle_moment.elbow": (4 * activations[:, 0] - 2, "N m", "<f8"),
            "coordinate.slide": (0.01 * angles, "m", "<f8")})
        file.create_group("bodies").attrs["names"] = np.array(list(frames[0]), "S")
        for name in frames[0]:
            write_body(file, name, [frame[name] for frame in frames])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    write(sys.argv[1])
