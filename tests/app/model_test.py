#!/usr/bin/env python3
"""Models and their pages by the command. Usage: model_test.py SINEW SCRATCH_FOLDER CLASS"""
import json
import shutil
import unittest
import urllib.request

from app_tools import ask, folder, main, run_node, serve, sinew


class Model(unittest.TestCase):
    """From a built-in anatomy to a model, its reports and its page."""

    @classmethod
    def setUpClass(cls):
        cls.here = folder("model")
        cls.made = sinew("phantom", "eye", "-o", cls.here / "eye", "--json")
        text = (cls.here / "eye/model.toml").read_text()
        cls.model_file = cls.here / "eye/with_meshes.toml"
        cls.model_file.write_text(text.replace("[build]", "[build]\nmeshes = true\nbricks = true"))
        cls.out = cls.here / "out"
        cls.built = sinew("build", cls.model_file, "-o", cls.out, "--json")

    def rows(self, text):
        document = json.loads(text)
        self.assertIs(document["ok"], True)
        for row in document["rows"]:
            self.assertLessEqual({"name", "value", "unit"}, set(row))
        return {row["name"]: row["value"] for row in document["rows"]}

    def test_reports_have_the_shape_of_every_json_and_no_muscle_is_missing(self):
        self.assertEqual(self.made.returncode, 0, self.made.stderr)
        self.assertEqual(self.built.returncode, 0, self.built.stderr)
        self.assertGreater(self.rows(self.made.stdout)["size_x"], 50)
        printed = self.rows(self.built.stdout)
        kept = self.rows((self.out / "report.json").read_text())
        for rows in [printed, kept]:
            self.assertEqual(rows["missing_muscles"], 0)
            self.assertEqual(rows["muscles"], self.model_file.read_text().count("[[muscles]]"))
            self.assertEqual(rows["invalid_ends"], 0, self.built.stderr)
        self.assertEqual(sum(v for k, v in kept.items() if k.endswith(".built")), kept["muscles"])

    def test_the_page_of_the_build_has_a_picture_of_every_muscle(self):
        page = (self.out / "report.html").read_text()
        names = [name[:-len(".built")] for name in
                 self.rows((self.out / "report.json").read_text()) if name.endswith(".built")]
        self.assertGreaterEqual(page.count("data:image/png;base64,"), len(names))
        for name in names:
            self.assertIn(name, page)
        self.assertNotRegex(page, r'(src|href)="(?!data:|#)', "one file without others")

    def test_check_knows_volumes_models_and_meshes(self):
        mesh = sorted((self.out / "meshes").glob("*.vtu"))[0]
        for path, row in [(self.here / "eye/labels.nrrd", None), (self.out, "muscles"),
                          (self.out / "model.h5", "muscles"), (self.model_file, "muscles"),
                          (mesh, None)]:
            result = sinew("check", path, "--json")
            self.assertEqual(result.returncode, 0, (path, result.stdout, result.stderr))
            rows = self.rows(result.stdout)
            self.assertTrue(rows)
            self.assertTrue(row is None or rows[row] > 0, path)

    def test_bad_input_exits_with_2_and_one_line(self):
        text = self.model_file.read_text()
        labels = (self.here / "eye/labels.nrrd").read_bytes()
        cut = self.here / "cut.nrrd"
        cut.write_bytes(labels[:len(labels) // 2])
        model = self.here / "cut/model.h5"
        model.parent.mkdir(exist_ok=True)
        model.write_bytes((self.out / "model.h5").read_bytes()[:3000])
        wrong = {"misspelt": text.replace("[build]", "[biuld]", 1),
                 "no_volume": text.replace("labels.nrrd", "nowhere.nrrd"),
                 "no_label": text.replace("labels = [1]", "labels = [999]")}
        calls = [("build", self.here / "nowhere.toml"), ("build", cut), ("check", cut),
                 ("check", model), ("view", model.parent),
                 ("build", self.model_file, "--volume", cut),
                 ("build", self.model_file, "--data", self.here / "nowhere")]
        for name, content in wrong.items():
            path = self.here / "eye" / (name + ".toml")
            path.write_text(content)
            calls.append(("build", path))
        for call in calls:
            more = ("-o", self.here / "bad", "-q") if call[0] == "build" else ()
            result = sinew(*call, *more)
            self.assertEqual(result.returncode, 2, (call, result.stdout, result.stderr))
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
            self.assertFalse((self.here / "bad").exists(), "nothing may be left behind")

    def test_the_server_answers_with_the_documented_bytes(self):
        url = serve(self, self.out)

        def get(path):
            return ask(url + path)
        model = json.loads(get("/api/model")[1])
        muscle, tissue = model["muscles"][0], model["tissues"][0]

        def surface(part):
            return 12 * part["num_vertices"] + 12 * part["num_triangles"]
        self.assertEqual(len(get("/api/tissue/0")[1]), surface(tissue))
        lines = 12 * muscle["num_line_points"] + 4 * (muscle["num_lines"] + 1)
        self.assertGreater(muscle["num_lines"], 0)
        self.assertEqual(len(get("/api/muscle/0")[1]),
                         surface(muscle) + lines + 3 * muscle["num_vertices"])
        edges = len(get("/api/muscle/0/lattice")[1]) - 12 * muscle["num_nodes"]
        self.assertGreater(edges, 8 * muscle["num_nodes"])
        self.assertEqual(edges % 8, 0)
        last = len(model["muscles"])
        for path in [f"/api/muscle/{last}", "/api/muscle/-1", "/api/muscle/0/", "/api/muscle",
                     "/api/muscle/0/nodes", "/api/muscle/0/lattice/0", "/api/tissue/999",
                     "/api/recording", "/api/body/0/topology", "/api/nothing", "/model.h5"]:
            self.assertEqual(get(path)[0], 404, path)

    def copy_of_the_model(self, name):
        """One that may be changed."""
        copy = self.here / name
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        shutil.copy(self.out / "model.h5", copy)
        return copy

    def test_invalid_ends_are_counted_and_named(self):
        text = self.model_file.read_text().replace("meshes = true\nbricks = true\n", "")
        head, *muscles = text.split("[[muscles]]")
        lost = head.replace("repair = false", 'repair = true\nskip_repairs = ["leaks"]')
        lost += '[[tissues]]\nname = "far"\nkind = "bone"\nsurfaces = ["far.obj"]\n'
        for muscle in muscles[:2]:
            lost += "[[muscles]]" + muscle.replace('bones = ["orbit"]', 'bones = ["far"]', 1)
        names = [muscle.split('"')[1] for muscle in muscles[:2]]
        here = self.here / "eye"
        (here / "lost.toml").write_text(lost)
        corners = [(x, y, z) for z in (0, 0.01) for y in (0, 0.01) for x in (0.5, 0.51)]
        faces = ["1 3 4", "1 4 2", "5 6 8", "5 8 7", "1 2 6", "1 6 5", "3 7 8", "3 8 4",
                 "1 5 7", "1 7 3", "2 4 8", "2 8 6"]
        (here / "far.obj").write_text("".join(f"v {x} {y} {z}\n" for x, y, z in corners)
                                      + "".join(f"f {face}\n" for face in faces))
        out = self.here / "lost"
        result = sinew("build", here / "lost.toml", "-o", out, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = self.rows(result.stdout)
        self.assertEqual(rows["invalid_ends"], 2, result.stderr)
        self.assertLess(rows["worst_label_change"], 0.02)
        self.assertEqual(rows["labels_changed_much"], 0)
        kept = self.rows((out / "report.json").read_text())
        self.assertGreater(kept["label_1.volume_before_repair"], 0)
        self.assertIn("Labels before and after repair", (out / "report.html").read_text())
        scene = self.here / "lost.toml"
        scene.write_text('duration = 0.01\n[[models]]\nfolder = "lost"\n')
        for path, code in [(out, 1), (scene, 0)]:
            result = sinew("check", path)
            self.assertEqual(result.returncode, code, result.stderr)
            for name in names:
                self.assertRegex(result.stderr, f"warning: {name}.*origin")

    def test_bricks_are_built_around_every_muscle(self):
        rows = self.rows((self.out / "report.json").read_text())
        names = [name[:-len(".built")] for name in rows if name.endswith(".built")]
        for name in names:
            self.assertEqual(rows[name + ".bricks"], 4, name)
            self.assertEqual(rows[name + ".vertices_outside_bricks"], 0, name)
            self.assertGreater(rows[name + ".brick_quality"], 0, name)
            self.assertGreater(rows[name + ".brick_volume_ratio"], 1, name)
        self.assertIn("time_bricks", rows)

    def test_a_brick_scene_takes_a_muscle_of_the_model(self):
        name = self.model_file.read_text().split("[[muscles]]")[1].split('"')[1]
        scene = self.here / "bricks.toml"
        scene.write_text(f"""
engine = "brick"
duration = 0.04
[[bodies]]
name = "{name}"
model = "out"
modes = 12
material = {{ law = "neo-hookean", young_modulus = 3e4, poisson_ratio = 0.45, density = 1060 }}
[bodies.muscle]
max_force = 0.5
excitation = {{ times = [0], values = [1] }}
[[bodies.ties]]
name = "origin"
end = "origin"
[[bodies.ties]]
name = "insertion"
end = "insertion"
""")
        result = sinew("run", scene, "-o", self.here / "bricks", "-q")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sinew("check", self.here / "bricks").returncode, 0)
        bad = scene.read_text().replace(f'name = "{name}"', 'name = "nobody"', 1)
        scene.write_text(bad)
        result = sinew("check", scene)
        self.assertEqual(result.returncode, 2)
        self.assertIn("muscle of the model", result.stderr)

    def test_bricks_are_laid_anew_and_saved_by_messages(self):
        copy = self.copy_of_the_model("saved")
        file = copy / "model.h5"
        url = serve(self, copy)

        def send(message, path="/api/model/bricks", **headers):
            data = message if isinstance(message, bytes) else json.dumps(message).encode()
            return ask(url + path, data, **headers)

        def get(muscle=0):
            with urllib.request.urlopen(f"{url}/api/muscle/{muscle}/bricks", timeout=60) as answer:
                return json.loads(answer.read())
        before, bytes_before = get(), file.read_bytes()
        self.assertEqual(before["counts"], [1, 1, 4])
        self.assertEqual(len(before["levels"]), 5)
        self.assertEqual(before["outside"], 0)
        self.assertEqual(len(before["edges"]) % 3, 0)
        right = {"do": "wrap", "muscle": 0, "counts": [1, 1, 2], "levels": [0, 0.3, 1]}
        status, body = send(right)
        self.assertEqual(status, 200, body)
        shown = json.loads(body)
        self.assertEqual(shown["levels"], [0, 0.3, 1])
        self.assertEqual(shown["outside"], 0)
        self.assertGreater(shown["quality"], 0)
        self.assertEqual(get(), before, "looking changes nothing")
        self.assertEqual(send({**right, "levels": []})[0], 200, "levels are found")
        wrong = [b"", b"{", b"[]", b"null", b'"wrap"', b"\xff\xfe", {"do": "wrap"},
                 {**right, "do": "unwrap"}, {**right, "do": 1}, {**right, "muscle": 999},
                 {**right, "muscle": -1}, {**right, "muscle": 0.5}, {**right, "muscle": "0"},
                 {**right, "more": 1}, {**right, "counts": [1, 1]}, {**right, "counts": [1, 1, 0]},
                 {**right, "counts": [1, 1, 1e30]}, {**right, "counts": [1, 1, 2**63]},
                 {**right, "counts": [16, 16, 2]}, {**right, "counts": "many"},
                 {**right, "levels": [0, 1]}, {**right, "levels": [0, 1.5, 1]},
                 {**right, "levels": [0, 0.0001, 1]}, {**right, "levels": ["a", "b", "c"]},
                 {**right, "levels": [0, None, 1]}, {**right, "levels": {"0": 0}},
                 b'{"do": "wrap", "muscle": 0, "counts": [1, 1, 2], "levels": [0, NaN, 1]}',
                 b'{"do": "wrap", "muscle": 0, "counts": [1, 1, 2], "levels": [0, 1e999, 1]}']
        for message in wrong:
            for do in ["wrap", "save"]:
                if isinstance(message, dict) and message.get("do") == "wrap":
                    message = {**message, "do": do}
                status, body = send(message)
                self.assertEqual(status, 400, (message, body))
                self.assertEqual(body.count(b"\n"), 1, body)
        self.assertEqual(send({**right, "levels": [0] * 5000})[0], 413)
        self.assertEqual(send(right, **{"Origin": "http://example.com"})[0], 403)
        self.assertEqual(send(right, **{"Host": "example.com"})[0], 403)
        self.assertEqual(send(right, **{"Content-Type": "text/plain"})[0], 415)
        self.assertEqual(send(right, path="/api/model")[0], 405)
        self.assertEqual(file.read_bytes(), bytes_before, "nothing of this was saved")
        status, body = send({**right, "do": "save"})
        self.assertEqual(status, 200, body)
        self.assertEqual(get()["levels"], [0, 0.3, 1])
        self.assertEqual(get()["nodes"], json.loads(body)["nodes"])
        self.assertEqual(get(1)["counts"], [1, 1, 4], "the others are as they were")
        self.assertNotEqual(file.read_bytes(), bytes_before)
        self.assertEqual(sinew("check", copy).returncode, 0)
        # The line for the model file makes the same bricks again.
        line = json.loads(body)["toml"]
        text = self.model_file.read_text().replace("[[muscles]]", "[[muscles]]\n" + line, 1)
        again = self.here / "eye/again.toml"
        again.write_text(text.replace("meshes = true\nbricks = true\n", ""))
        self.assertEqual(sinew("check", again).returncode, 0, line)
        # A model that was built anew meanwhile is not overwritten.
        import h5py
        with h5py.File(file, "r+") as model:
            name = model["muscles"].attrs["names"][0]
            vertices = model["muscles"][name.decode() if isinstance(name, bytes) else name]["vertices"]
            vertices[0] = vertices[0] + 1e-6
        fresh = file.read_bytes()
        status, body = send({**right, "do": "save"})
        self.assertEqual(status, 503, body)
        self.assertIn(b"built again", body)
        self.assertEqual(file.read_bytes(), fresh)

    def test_the_page_of_the_model_draws_it(self):
        run_node(self, self.here, "model_page_test.mjs", serve(self, self.copy_of_the_model("shown")),
                 self.here / "page.png")


if __name__ == "__main__":
    main()
