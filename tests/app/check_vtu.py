#!/usr/bin/env python3
"""Reads exported VTU files with VTK and compares them with the recording, number by number.

Usage: check_vtu.py RECORDING.h5 EXPORT_FOLDER
Exit code 0 where every position, index, field and time agrees exactly, 1 where one does not.
"""
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import h5py
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader


def read_grid(path):
    """The grid of one VTU file; VTK's own complaints count as failure."""
    complaints = []
    reader = vtkXMLUnstructuredGridReader()
    reader.AddObserver("ErrorEvent", lambda *_: complaints.append(str(path)))
    reader.SetFileName(str(path))
    reader.Update()
    expect(not complaints, f"{path}: VTK cannot read it")
    return reader.GetOutput()


def expect(condition, message):
    if not condition:
        sys.exit(f"check_vtu: {message}")


def expect_equal(found, wanted, what):
    expect(found.dtype == wanted.dtype, f"{what}: {found.dtype} instead of {wanted.dtype}")
    expect(np.array_equal(found, wanted, equal_nan=True), f"{what}: values differ")


def cells_of(grid, corners):
    cells = grid.GetCells()
    offsets = vtk_to_numpy(cells.GetOffsetsArray())
    expect(np.all(np.diff(offsets) == corners), f"cells do not have {corners} corners")
    return vtk_to_numpy(cells.GetConnectivityArray()).reshape(-1, corners).astype(np.uint32)


def volumes(nodes, tets):
    a, b, c, d = (nodes.astype(np.float64)[tets[:, i]] for i in range(4))
    return np.einsum("ij,ij->i", b - a, np.cross(c - a, d - a)) / 6


def check_surface(grid, body, k, what):
    expect_equal(vtk_to_numpy(grid.GetPoints().GetData()), body["surface"][k], f"{what}: positions")
    expect_equal(cells_of(grid, 3), body["triangles"][:], f"{what}: triangles")
    data = grid.GetPointData()
    names = [data.GetArrayName(i) for i in range(data.GetNumberOfArrays())]
    expect(sorted(names) == sorted(body["fields"]), f"{what}: has the fields {names}")
    for name in names:
        expect_equal(vtk_to_numpy(data.GetArray(name)), body["fields"][name][k], f"{what}: {name}")


def check_volume(grid, body, k, what):
    tets = body["tets"][:]
    nodes = body["nodes"][k]
    expect_equal(vtk_to_numpy(grid.GetPoints().GetData()), nodes, f"{what}: nodes")
    expect_equal(cells_of(grid, 4), tets, f"{what}: tets")
    ratio = vtk_to_numpy(grid.GetCellData().GetArray("volume_ratio")).astype(np.float64)
    rest = volumes(body["rest_nodes"][:], tets)
    wanted = volumes(nodes, tets) / rest
    # The ratio is a float32 of float64 volumes, whose own rounding grows with the size of the
    # edges against the volume at rest.
    scale = np.ptp(nodes, axis=0).max() ** 3 / np.abs(rest) if len(tets) else rest
    error = np.abs(ratio - wanted)
    expect(np.all(error <= 1e-6 * np.abs(wanted) + 1e-12 * scale), f"{what}: volume_ratio differs")


def check_collection(recording, folder, kind, check):
    times = recording["frames/time"][:]
    entries = ElementTree.parse(folder / f"{kind}.pvd").getroot().findall("./Collection/DataSet")
    expect(entries, f"{kind}.pvd lists no files")
    for entry in entries:
        found = np.flatnonzero(times == float(entry.get("timestep")))
        expect(len(found) == 1, f"{kind}.pvd: no frame at {entry.get('timestep')} s")
        body = recording["bodies"][entry.get("name")]
        check(read_grid(folder / entry.get("file")), body, found[0], entry.get("file"))
    return len(entries)


def main(recording_path, folder):
    with h5py.File(recording_path, "r", libver="latest", swmr=True) as recording:
        surfaces = check_collection(recording, Path(folder), "surface", check_surface)
        solids = check_collection(recording, Path(folder), "volume", check_volume)
    print(f"check_vtu: {surfaces} surfaces and {solids} volumes equal the recording")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
