"""The targets of Package.swift and the dependencies that it declares; scripts/check, scripts/lint-targets and scripts/reach use it.

The package manager evaluates the manifest (`swift package dump-package`), so that the scripts know no target themselves.
"""

import json
import os
import subprocess
import sys
from functools import cached_property


class PackageGraph:
    """The targets of the package in a folder.

    - `kinds` maps the name of each target to its kind, such as `regular`, `executable`, `system` or `test`.
    - `folders` maps it to the target's folder.
    - `declared` maps it to the targets of this package on which Package.swift lets it depend.
    - `products` maps it to the products of other packages on which Package.swift lets it depend.
    - `offered` has the targets of the library products, which other packages can import.
    - `inside` has the targets that can use declarations with `package` access.
    """

    def __init__(self, root="."):
        self.root = root
        self.kinds, self.folders, self.declared, self.products = {}, {}, {}, {}
        self.inside = set()
        dump = _dump(root)
        self.offered = {name for product in dump["products"] if "library" in product["type"] for name in product["targets"]}
        for target in dump["targets"]:
            name = target["name"]
            if target.get("packageAccess", True):
                self.inside.add(name)
            self.kinds[name] = target["type"]
            self.folders[name] = target.get("path") or ("Tests/" if target["type"] == "test" else "Sources/") + name
            self.declared[name] = {other for other in map(_target, target["dependencies"]) if other}
            self.products[name] = {dependency["product"][0] for dependency in target["dependencies"] if "product" in dependency}
        for name in self.declared:
            self.declared[name] &= self.kinds.keys()

    @cached_property
    def reached(self):
        """The targets on which each target depends, directly or through others."""
        reached = {}

        def visit(name):
            if name not in reached:
                reached[name] = set()
                for other in self.declared[name]:
                    reached[name] |= {other} | visit(other)
            return reached[name]

        for name in self.declared:
            visit(name)
        return reached

    def dependents(self, name):
        """The targets that depend on a target, directly or through others."""
        return {other for other, reached in self.reached.items() if name in reached}

    def files(self, name, endings=(".swift",)):
        """The files of a target, relative to the package's folder."""
        folder = os.path.join(self.root, self.folders[name])
        paths = (os.path.join(parent, file) for parent, _, files in os.walk(folder) for file in files if file.endswith(endings))
        return sorted(os.path.relpath(path, self.root) for path in paths)


def _target(dependency):
    """The name in a dependency, or None for a product of another package."""
    reference = dependency.get("target") or dependency.get("byName")
    return reference[0] if reference else None


def _dump(root):
    # The variable would remove test targets.
    environment = {name: value for name, value in os.environ.items() if name != "TEST_TARGETS"}
    # The folder is not created; with another folder than the build's, the package manager does not wait for a running build.
    command = ["swift", "package", "--package-path", root, "--scratch-path", os.path.join(root, ".build-manifest"), "dump-package"]
    result = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(f"Package.swift can't be read (swift package dump-package):\n{result.stderr.strip()}")
    return json.loads(result.stdout)
