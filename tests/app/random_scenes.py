"""Small random scenes of each engine, as text: what users might write, nasty on purpose or sane.

A scene is a dictionary that `to_toml` writes. Wild scenes draw everything from far too soft to far
too hard; all of them are valid, so that a refusal is a fault. Sane ones are what the manual advises.
"""
import math
import random

FRAMES = 5  # after the first


def to_toml(scene):
    """Tables of the document in [brackets], what is in them inline."""
    plain = {k: v for k, v in scene.items() if not isinstance(v, dict) and not is_tables(v)}
    lines = [f"{key} = {to_value(value)}" for key, value in plain.items()]
    for key, value in scene.items():
        if key in plain:
            continue
        for table in value if is_tables(value) else [value]:
            lines.append(f"\n[[{key}]]" if is_tables(value) else f"\n[{key}]")
            lines += [f"{name} = {to_value(part)}" for name, part in table.items()]
    return "\n".join(lines) + "\n"


def is_tables(value):
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def to_value(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return "[" + ", ".join(map(to_value, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{k} = {to_value(v)}" for k, v in value.items()) + " }"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


class Draw(random.Random):
    """Random numbers in the words of scenes."""

    def maybe(self, part):
        return self.random() < part

    def scale(self, low, high):
        """Between two positive numbers, each power of ten alike."""
        return math.exp(self.uniform(math.log(low), math.log(high)))

    def vector(self, size):
        return [self.uniform(-size, size) for _ in range(3)]

    def direction(self):
        while True:
            v = self.vector(1)
            length = math.hypot(*v)
            if 0.1 < length <= 1:
                return [x / length for x in v]

    def keys(self, duration, low, high, interpolation=("linear", "smooth")):
        count = self.randint(1, 4)
        times = sorted(self.uniform(0, duration) for _ in range(count))
        times = [t + 1e-3 * duration * i for i, t in enumerate(times)]
        return {"times": times, "values": [self.uniform(low, high) for _ in times],
                "interpolation": self.choice(interpolation)}


# What all engines share.

def timing(draw, frames=FRAMES):
    rate = draw.scale(10, 200)
    return {"duration": frames / rate, "output": {"frame_rate": rate}}


def place(draw, up):
    """A shape of about 0.1 m at this height, and half its least extent."""
    r = draw.uniform(0.03, 0.06)
    kind = draw.choice(["sphere", "box", "capsule", "spindle", "torus"])
    if kind == "sphere":
        return {"type": kind, "center": [0, up, 0], "radius": r}, r
    if kind == "box":
        size = [2 * r * draw.uniform(1, 1.8) for _ in range(3)]
        box = {"type": kind, "center": [0, up, 0], "size": size}
        if draw.maybe(0.4):
            box["rotation"] = {"axis": draw.direction(), "angle_deg": draw.uniform(-180, 180)}
        return box, r
    if kind == "torus":
        return {"type": kind, "center": [0, up, 0], "axis": draw.direction(),
                "major_radius": 1.6 * r, "minor_radius": 0.7 * r}, 0.7 * r
    length = draw.uniform(0.5, 2) * r
    ends = {"start": [-length, up, 0], "end": [length, up, 0]}
    if kind == "capsule":
        return {"type": kind, **ends, "radius": r}, r
    return {"type": kind, **ends, "radius": r, "end_radius": draw.uniform(0.5, 0.95) * r}, r


def world(draw):
    gravity = draw.choice([[0, -9.81, 0], [0, -9.81, 0], [0, 0, 0], draw.vector(30),
                           draw.vector(300)])
    return {"gravity": gravity}


def fields(draw, duration, up):
    """None, one or two, up to a thousand times gravity."""
    made = []
    for index in range(draw.choice([0, 0, 0, 1, 1, 2])):
        kind = draw.choice(["uniform", "point", "plane", "wind"])
        field = {"name": f"field{index}", "type": kind}
        strong = draw.choice([-1, 1]) * draw.scale(1, 1e4)
        if kind == "uniform":
            field["acceleration"] = [strong * x for x in draw.direction()]
        elif kind == "point":
            field |= {"center": [0, up, 0], "radius": draw.uniform(0.02, 0.3),
                      "acceleration": strong}
        elif kind == "plane":
            field |= {"point": [0, up, 0], "normal": draw.direction(),
                      "acceleration": strong, "width": draw.uniform(0.005, 0.1)}
        else:
            field |= {"velocity": draw.vector(20), "rate": draw.scale(0.01, 1e4)}
        if draw.maybe(0.4):
            low = 0 if kind == "wind" else -1
            field["strength"] = draw.keys(duration, low, 2)
        made.append(field)
    return made


def colliders(draw, duration, up):
    """A floor above, at or far below the body's underside, a ball in its way, a press."""
    made = []
    if draw.maybe(0.5):
        made.append({"name": "floor", "friction": draw.choice([0, 0.3, 5]),
                     "shape": {"type": "plane", "point": [0, draw.uniform(-0.05, up - 0.02), 0],
                               "normal": [0.2 * x + y for x, y in zip(draw.direction(), [0, 1, 0])]}})
    if draw.maybe(0.15):
        made.append({"name": "ball", "friction": draw.uniform(0, 1),
                     "shape": {"type": "sphere", "center": [x + y for x, y in
                                                            zip(draw.vector(0.1), [0, up, 0])],
                               "radius": draw.uniform(0.005, 0.08)}})
    if draw.maybe(0.25):
        made.append({"name": "press", "friction": draw.uniform(0, 1),
                     "shape": {"type": "box", "center": [0, up + 0.13, 0], "size": [0.4, 0.04, 0.4]},
                     "travel": [0, -draw.uniform(0.01, 0.3), 0],
                     "motion": draw.keys(duration, 0, 1)})
    return made


def held_ends(draw, shape, up, duration, most_travel):
    """Attachments or ties at none, one or both ends, moved as told or at rest."""
    span = 0.9 * half_length(shape)
    made = []
    for side in draw.choice([[], [-1], [1], [-1, 1], [-1, 1]]):
        end = {"name": "left" if side < 0 else "right",
               "shape": {"type": "plane", "point": [0.55 * side * span, up, 0],
                         "normal": [-side, 0, 0]}}
        if draw.maybe(0.5):
            end["travel"] = draw.vector(most_travel)
            end["motion"] = draw.keys(duration, -1, 1)
        if draw.maybe(0.2):
            end["turn"] = {"center": [0, up, 0], "axis": draw.direction(),
                           "times": [0, duration], "angles_deg": [0, draw.uniform(-720, 720)],
                           "interpolation": "smooth"}
        made.append(end)
    return made


def half_length(shape):
    """Along x, at least."""
    if shape["type"] == "box":
        return min(shape["size"]) / 2
    if shape["type"] == "torus":
        return shape["minor_radius"] * 0.9
    if shape["type"] == "sphere":
        return shape["radius"]
    return shape["end"][0]


def motion(draw):
    moved = {}
    if draw.maybe(0.3):
        moved["velocity"] = draw.vector(draw.scale(0.1, 30))
    if draw.maybe(0.2):
        moved["angular_velocity"] = draw.vector(draw.scale(1, 300))
    return moved


def law(draw, soft=1e2, hard=1e8):
    damping = {}
    if draw.maybe(0.5):
        damping["mass_rate"] = draw.scale(0.1, 1e3)
    if draw.maybe(0.6):
        damping["stiffness_time"] = draw.scale(1e-5, 0.1)
    made = {"density": draw.scale(50, 5000)}
    if draw.maybe(0.25):
        made |= {"law": "mooney-rivlin", "c1": draw.scale(soft, hard), "c2": draw.scale(soft, hard),
                 "K": draw.scale(soft, hard)}
    else:
        made |= {"law": draw.choice(["corotated", "neo-hookean"]),
                 "young_modulus": draw.scale(soft, hard),
                 "poisson_ratio": draw.choice([0, 0.3, 0.45, 0.49, 0.499, draw.uniform(-0.5, 0.49)])}
    if damping:
        made["damping"] = damping
    return made


# The engines.

def wild_tets(draw):
    up = 0.15
    scene = timing(draw)
    shape, r = place(draw, up)
    body = {"name": "body", "shape": shape, "resolution": r / draw.uniform(0.9, 1.6), **motion(draw)}
    body["material"] = tet_material(draw)
    ends = held_ends(draw, shape, up, scene["duration"], draw.scale(0.005, 0.3))
    if ends:
        body["attachments"] = ends
    if draw.maybe(0.1):
        body["scramble"] = draw.uniform(0.2, 1)
    if body["material"].get("preset") in ("muscle", "teran2005"):
        body["fibers"] = draw.choice([
            {"type": "constant", "direction": draw.direction()},
            {"type": "fusiform", "origin": [-0.1, up, 0], "insertion": [0.1, up, 0]},
            {"type": "converging", "apex": [0.12, up, 0]}])
        body["regions"] = [{"name": "belly", "excitation": draw.keys(scene["duration"], 0, 1)}]
        if draw.maybe(0.5):
            body["regions"][0] |= {"rise_time": draw.scale(1e-3, 0.1), "fall_time": 0.05}
    solver = tet_solver(draw, scene, bool(ends))
    if solver["integrator"] == "quasi-static":  # knows no inertia, and refuses what would need it
        body = {key: value for key, value in body.items() if not key.endswith("velocity")}
    scene |= {"solver": solver, "world": world(draw), "bodies": [body],
              "colliders": colliders(draw, scene["duration"], up),
              "fields": fields(draw, scene["duration"], up)}
    if draw.maybe(0.2):
        change = draw.keys(scene["duration"], 0.1, 1)
        change["values"] = [draw.scale(1e-4, 1e3) for _ in change["values"]]
        scene["changes"] = [{"body": "body", "quantity": "stiffness", **change}]
    return without_empty(scene)


def tet_material(draw):
    if draw.maybe(0.4):
        material = {"preset": draw.choice(["muscle", "muscle", "tendon", "fat", "teran2005"])}
        if material["preset"] in ("muscle", "teran2005") and draw.maybe(0.5):
            material["max_stress"] = draw.scale(1e3, 1e7)
        if draw.maybe(0.7):
            material["damping"] = {"stiffness_time": draw.scale(1e-4, 1e-2)}
        return material
    material = law(draw)
    if material["law"] != "corotated" and draw.maybe(0.3):
        material["average_volume"] = True
    return material


def frame_step(draw, scene):
    """From a quarter of a frame to longer than one."""
    return draw.scale(0.25, 4) / scene["output"]["frame_rate"]


def tet_solver(draw, scene, held):
    kinds = ["semi-explicit", "backward-euler", "tr-bdf2"] + ["quasi-static"] * held
    kind = draw.choice(kinds)
    if kind == "semi-explicit":
        return {"integrator": kind, "safety": draw.uniform(0.2, 0.95), "min_step": 1e-5}
    return {"integrator": kind, "step": frame_step(draw, scene),
            "accuracy": draw.choice(["animation", "animation", "engineering"])}


def wild_bricks(draw):
    up = 0.15
    scene = {"engine": "brick", **timing(draw)}
    shape, _ = place(draw, up)
    while shape["type"] == "torus":  # cannot be wrapped
        shape, _ = place(draw, up)
    body = {"name": "body", "shape": shape,
            "bricks": [draw.randint(1, 2), draw.randint(1, 2), draw.randint(1, 3)], **motion(draw)}
    if shape["type"] != "box":
        body["spacing"] = 0.02
        body["axis"] = [1, 0, 0]
    if draw.maybe(0.4):
        body["modes"] = draw.randint(1, 40)
    body["material"] = law(draw)
    ties = held_ends(draw, shape, up, scene["duration"], draw.scale(0.005, 0.3))
    for tie in ties:
        if draw.maybe(0.3):
            tie["compliance"] = draw.scale(1e-8, 1)
    if ties:
        body["ties"] = ties
    if draw.maybe(0.4):
        body["muscle"] = {"max_force": draw.scale(0.01, 1e4), "damping": draw.uniform(0, 1),
                          "excitation": draw.keys(scene["duration"], 0, 1)}
    if draw.maybe(0.3):
        side = draw.choice([-1, 1])
        body["tendons"] = [{"name": "tendon", "to": [0.3 * side, up, 0],
                            "shape": {"type": "plane", "point": [0, up, 0],
                                      "normal": [-side, 0, 0]},
                            "max_force": draw.scale(0.1, 1e4), "slack": draw.uniform(0.5, 1.2)}]
    solver = {"step": frame_step(draw, scene), "strain": draw.choice(["small", "large"])}
    if solver["strain"] == "large":
        body.pop("modes", None)  # are of small strains
    scene |= {"solver": solver, "world": world(draw), "bodies": [body],
              "colliders": colliders(draw, scene["duration"], up),
              "fields": fields(draw, scene["duration"], up)}
    return without_empty(scene)


def wild_grids(draw):
    up = 0.15
    scene = {"engine": "eulerian", **timing(draw, 3)}
    shape, r = place(draw, up)
    spacing = r / draw.uniform(1.2, 1.6)
    body = {"name": "body", "shape": shape, **motion(draw)}
    body["material"] = {"shear_modulus": draw.scale(1e2, 1e7), "density": draw.scale(50, 5000),
                        "volume": draw.choice(["none", "velocity", "stabilized", "stabilized"]),
                        "lame": draw.scale(1e2, 1e6)}
    if body["material"]["volume"] != "none":
        del body["material"]["lame"]  # constraints keep the volume
    ends = held_ends(draw, shape, up, scene["duration"], draw.scale(0.005, 0.1))
    for end in ends:
        end.pop("turn", None)
    if ends:
        body["attachments"] = ends
    if draw.maybe(0.3):
        body["active_shape"] = {"type": "uniform", "axis": draw.direction(),
                                "stretch": draw.uniform(0.5, 1.6), "point": [0, up, 0]}
        body["activation"] = draw.keys(scene["duration"], 0, 1)
    cells = 4 * math.ceil(0.6 / spacing / 4)
    low = -0.5 * cells * spacing
    solver = {"step": frame_step(draw, scene)}
    if draw.maybe(0.3):
        solver = {"integrator": "explicit", "step": draw.scale(1e-4, 0.01),
                  "safety": draw.uniform(0.2, 0.9)}
    if draw.maybe(0.3):
        solver["damping"] = draw.scale(0.1, 1e3)
    scene |= {"solver": solver, "world": world(draw),
              "grids": [{"name": "space", "low": [low, low + up, low], "spacing": spacing,
                         "cells": [cells] * 3}],
              "bodies": [body], "colliders": colliders(draw, scene["duration"], up),
              "fields": fields(draw, scene["duration"], up)}
    return without_empty(scene)


def without_empty(scene):
    return {key: value for key, value in scene.items() if value != []}


# What is known to be right: tissue that is neither too soft for its load nor too stiff for its
# step, cells that fill it, ends that move by a tenth.

def sane(draw):
    return draw.choice([sane_tets, sane_bricks, sane_grids])(draw)


def sane_timing():
    return {"duration": FRAMES / 30, "output": {"frame_rate": 30}}


def sane_law(draw):
    return {"law": draw.choice(["corotated", "neo-hookean"]),
            "young_modulus": draw.scale(3e4, 3e5), "poisson_ratio": draw.uniform(0.2, 0.4),
            "density": draw.uniform(800, 1200),
            "damping": {"mass_rate": 1.0, "stiffness_time": 2e-3}}


def floor(height, friction=0.3):
    return [{"name": "floor", "friction": friction,
             "shape": {"type": "plane", "point": [0, height, 0]}}]


def pulled_ends(draw, up, span):
    ends = []
    for side, name in [(-1, "left"), (1, "right")]:
        ends.append({"name": name, "shape": {"type": "plane", "point": [side * span, up, 0],
                                             "normal": [-side, 0, 0]}})
    ends[1] |= {"travel": [draw.uniform(-0.05, 0.1) * 2 * span, 0, 0],
                "motion": {"times": [0, 0.1], "values": [0, 1], "interpolation": "smooth"}}
    return ends


def sane_tets(draw):
    up = 0.15
    held = draw.maybe(0.5)
    body = {"name": "body", "resolution": 0.03, "material": sane_law(draw)}
    scene = sane_timing()
    if held:
        body |= {"shape": {"type": "box", "center": [0, up, 0], "size": [0.2, 0.08, 0.08]},
                 "attachments": pulled_ends(draw, up, 0.08)}
    else:
        body |= {"shape": {"type": "sphere", "center": [0, up, 0], "radius": 0.06}}
        scene["colliders"] = floor(up - 0.08)
    solver = {"integrator": draw.choice(["semi-explicit", "tr-bdf2", "backward-euler"])}
    if solver["integrator"] != "semi-explicit":
        solver["step"] = 0.01
    return scene | {"solver": solver, "bodies": [body]}


def sane_bricks(draw):
    up = 0.15
    held = draw.maybe(0.5)
    body = {"name": "body", "material": sane_law(draw),
            "shape": {"type": "box", "center": [0, up, 0], "size": [0.2, 0.08, 0.08]},
            "bricks": [3, 1, 1]}
    scene = {"engine": "brick", **sane_timing()}
    if held:
        body["ties"] = pulled_ends(draw, up, 0.0999)
    else:
        scene["colliders"] = floor(up - 0.06)
    return scene | {"solver": {"step": 0.002, "strain": draw.choice(["small", "large"])},
                    "bodies": [body]}


def sane_grids(draw):
    up = 0
    body = {"name": "body", "shape": {"type": "capsule", "start": [-0.06, up, 0],
                                      "end": [0.06, up, 0], "radius": 0.04},
            "material": {"shear_modulus": draw.scale(1e4, 1e5), "volume": "stabilized"}}
    scene = {"engine": "eulerian", **sane_timing()}
    if draw.maybe(0.5):
        body["attachments"] = pulled_ends(draw, up, 0.07)
    else:
        # On landing with friction a step of a grid may not settle, and says so.
        scene["colliders"] = floor(up - 0.06, friction=0)
    return scene | {"solver": {"step": 0.004}, "bodies": [body],
                    "grids": [{"name": "space", "low": [-0.18, -0.12, -0.12], "spacing": 0.015,
                               "cells": [24, 16, 16]}]}
