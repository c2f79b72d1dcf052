#!/usr/bin/env python3
"""Measures which programs of public suites compile unmodified, run, and pass their own checks.

  tools/cuda/suites.py --heddle build/release/heddle polybench:PATH llmc:PATH samples:PATH
  tools/cuda/suites.py --heddle build/release/heddle --nvcc nvcc polybench:PATH    # nvcc compiles, heddle exec runs
  tools/cuda/suites.py --heddle build/release/heddle --nvcc nvcc --machine 80 --gpu a100 polybench:PATH  # its machine code
  tools/cuda/suites.py --heddle build/release/heddle --check all polybench:PATH    # what heddle exec --check finds in them

PATH is a checkout of cavazos-lab/PolyBench-ACC, karpathy/llm.c, NVIDIA/cuda-samples, vetter/shoc or
utcs-scea/altis. Prints a table of shares and a line for each program that fails, with the first reason. Launches are executed for their results alone: what is asked is
whether they are right. Sizes are the suites' small ones, so that each program ends in a minute.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

SECONDS = int(os.environ.get("HEDDLE_SUITE_SECONDS", "60"))


def polybench(root):
    """Each program compares with the CPU and prints how many results differ."""
    for source in sorted((root / "CUDA").rglob("*.cu")):
        yield source.stem, source, ["-O2", "-I", str(root / "common"), "-I", str(source.parent), "-DMINI_DATASET",
                                    "-DRUN_ON_CPU"], [], polybench_passes


def polybench_passes(output):
    counts = re.findall(r"(?:Non-Matching CPU-GPU Outputs.*?|Number of misses):\s*(\d+)", output)
    return bool(counts) and all(int(count) == 0 for count in counts)


def with_smaller_constants(root, pattern, smaller, literals={}):
    """A copy of a suite whose sizes are constants in the programs, for a GPU: by name, or as they stand in the program
    of a name."""
    copy = Path(tempfile.mkdtemp()) / root.name
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns(".git"))
    for source in copy.glob(pattern):
        text = source.read_text(errors="surrogateescape")
        for name, size in smaller.items():
            text = re.sub(rf"(int(?:64_t)?\s+{name}\s+= )[\d* ]+;", rf"\g<1>{size};", text)
            text = re.sub(rf"(#define {name} )\d+", rf"\g<1>{size}", text)
        for size, smaller_size in literals.get(source.stem, {}).items():
            text = text.replace(size, smaller_size)
        source.write_text(text, errors="surrogateescape")
    return copy


def llmc(root):
    """Each program validates its kernels, of which the first argument chooses one, before it times them, here once."""
    copy = with_smaller_constants(root, "dev/cuda/*.cu", {"B": "1", "T": "128", "V": "4099", "repeat_times": "1"})
    for source in sorted((copy / "dev" / "cuda").glob("*.cu")):
        # Which has no first one in 16 bits, as it is compiled.
        kernel = "2" if source.stem == "layernorm_backward" else "1"
        yield source.stem, source, ["-O2", "-I", str(source.parent)], [kernel], lambda output: "FAILED" not in output


MATRICES = [f"-{side}=128" for side in ("wA", "hA", "wB", "hB")]


def is_single_file(folder):
    return len(list(folder.glob("*.cu")) + list(folder.glob("*.cpp"))) == 1


def samples(root):
    """The samples of one file that check themselves: their exit code says how it went. Compiled without -O2, as
    theirs are."""
    root = with_smaller_constants(
        root, "Samples/*/*/*.cu", {"NUM_REPS": "2", "MEM_SIZE": "1000000", "n": "65536"},
        {"simpleAttributes": {"deviceProp.maxGridSize[1], 1": "64, 1", "0xAFFFF": "0xFFF"},
         "graphMemoryFootprint": {"64 * 1024 * 1024": "64 * 1024"}})
    arguments = {"matrixMul": MATRICES, "globalToShmemAsyncCopy": MATRICES, "reductionMultiBlockCG": ["--n=65536"]}
    foreign = re.compile(r"GL/|glut|cublas|cufft|curand|cusparse|cusolver|npp|nvrtc|cuda_gl|d3d|vulkan|<cuda\.h>|mpi\.h")
    for source in sorted((root / "Samples").rglob("*.cu")):
        text = source.read_text(errors="replace")
        checks = re.search(r"EXIT_FAILURE|exit\(1\)|PASS", text)
        if is_single_file(source.parent) and not foreign.search(text) and checks and "main(" in text:
            flags = ["-I", str(root / "Common"), "-I", str(source.parent)]
            if source.parent.name.startswith("cdp"):
                flags += ["-rdc=true", "-lcudadevrt"]
            if "omp.h" in text:
                flags += ["-Xcompiler", "-fopenmp"]
            if "helper_multiprocess.h" in text:
                flags.append(str(root / "Common/helper_multiprocess.cpp"))
            yield source.stem, source, flags, arguments.get(source.stem, []), lambda output: True


def passes_silently(output):
    """Programs that say "passed" or nothing where all is right."""
    return not re.search(r"FAIL|mismatch|incorrect", output, re.I)


def files_of(folder, sources):
    """Those that belong to the program, where a folder's CMakeLists.txt says which do: it may have several."""
    listing = next(iter(folder.rglob("CMakeLists.txt")), None)
    named = re.search(r"add_library\(\w+([^)]*)\)", listing.read_text()) if listing else None
    names = {Path(word).name for word in named.group(1).split()} if named else set()
    if not any(file.name in names for file in sources):
        return sources
    return [file for file in sources if file.suffix != ".cu" or file.name in names]


def of_many_files(root, main, levels, arguments={}):
    """The programs of a suite whose common files stand apart: a folder each, of what is not for MPI or a library. At
    the least size, one pass each."""
    foreign = re.compile(r"cublas|cudnn|curand|cufft|cusparse|mpi\.h")
    settings = Path(tempfile.mkdtemp())
    (settings / "config.h").write_text("#define HAVE_GETTIMEOFDAY 1\n")  # What autoconf finds.
    shared = root / "src/common"
    parts = [shared / f"{name}.cpp" for name in ("Option", "OptionParser", "ResultDatabase", "Timer", "CTimer",
                                                 "ProgressBar", "InvalidArgValue", "Graph")]
    common = [str(part) for part in parts if part.exists()]
    folders = [folder for level in levels for folder in (root / "src/cuda" / level).iterdir() if folder.is_dir()]
    for folder in sorted(folders):
        sources = [file for file in sorted(folder.rglob("*.c*")) if file.suffix in (".cu", ".cpp") and
                   not re.search(r"mpi|^TP|^tp", str(file.relative_to(folder)), re.I)]
        texts = {file: file.read_text(errors="replace") for file in sources}
        # What another file includes is no file of its own.
        included = {Path(name).name for text in texts.values() for name in re.findall(r'#include\s+"(.*)"', text)}
        alone = files_of(folder, [file for file in sources if file.name not in included])
        if not alone or any(foreign.search(text) for text in texts.values()):
            continue
        # Of C++ as it was by default then: std::data is later.
        places = (settings, main.parent, shared, folder)
        flags = ["-O2", "-std=c++14"] + [word for place in places for word in ("-I", str(place))]
        yield (folder.name, alone[0], [*map(str, alone[1:]), str(main), *common, *flags],
               ["-s", "1", "-n", "1", *arguments.get(folder.name, [])], passes_silently)


def shoc(root):
    return of_many_files(root, root / "src/cuda/common/main.cpp", ["level1"])


def altis(root):
    """Some sizes are constants, or options of one program."""
    root = with_smaller_constants(root, "src/cuda/level0/maxflops/*.cu", {"halfBufSize": "4096", "halfNumFloats": "1024"})
    arguments = {"pathfinder": ["--rows", "256", "--cols", "1024", "--pyramidHeight", "8"],
                 "kmeans": ["-i", str(root / "src/cuda/level2/kmeans/inputs/random-n2048-d16-c16.txt"), "--rank", "16",
                            "--centers", "16", "--steps", "4", "--seed", "1", "--verify"]}
    return of_many_files(root, root / "src/cuda/common/main.cu", ["level0", "level1", "level2"], arguments)


SUITES = {"polybench": polybench, "llmc": llmc, "samples": samples, "shoc": shoc, "altis": altis}


def run(command, folder, **settings):
    environment = {**os.environ, "HEDDLE_TIMED": os.environ.get("HEDDLE_TIMED", "none"), "HEDDLE_THREADS": "1", **settings}
    try:
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace",
                              timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None


def first_error(text):
    lines = [line for line in text.splitlines() if re.search(r"error|heddle:|undefined|fail", line, re.I)]
    return (lines or text.strip().splitlines() or ["nothing is printed"])[0].strip()[:160]


def commands(asked, program):
    """How programs are compiled, and how the one of that path is started."""
    if not asked.nvcc:
        return [asked.heddle, "cuda"], [program]
    # CUDA 13 has left out what PolyBench waits by.
    target = f"arch=compute_{asked.machine or 80},code={'sm_' + asked.machine if asked.machine else 'compute_80'}"
    code = ["--code", "machine"] if asked.machine else []
    return ([asked.nvcc, "-cudart", "shared", "-gencode", target, "-DcudaThreadSynchronize=cudaDeviceSynchronize"],
            [asked.heddle, "exec", *code, "--gpu", asked.gpu, "--summary", program + ".summary", "--", program])


def outcome(asked, name, source, flags, arguments, passes):
    """What became of the program: a stage, and the reason if it is not the last."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / name)
        compiler, start = commands(asked, program)
        compiled = run([*compiler, "-w", str(source), *flags, "-lm", "-o", program], folder)
        if compiled is None or compiled.returncode != 0:
            return "does not compile", first_error(compiled.stderr) if compiled else f"{SECONDS} s"
        settings = {"HEDDLE_CHECK": asked.check} if asked.check else {}
        if "cudaDeviceCanAccessPeer" in source.read_text(errors="replace"):
            settings["HEDDLE_GPUS"] = "2"
        ran = run([*start, *arguments], source.parent, **settings)
        if ran is None:
            return "takes too long", f"{SECONDS} s"
        if asked.check and ran.returncode == 3:
            return "is found fault with", "".join("\n    " + line for line in ran.stderr.splitlines() if "heddle:" in line)
        if ran.returncode != 0:
            return "fails", first_error(ran.stderr + "\n" + ran.stdout)
        return ("passes", "") if passes(ran.stdout) else ("differs", first_error(ran.stderr + "\n" + ran.stdout))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default="heddle")
    parser.add_argument("--nvcc", help="compiles by this nvcc with -cudart shared, and runs under heddle exec")
    parser.add_argument("--machine", metavar="80", help="of --nvcc: makes machine code for this compute capability, and runs that")
    parser.add_argument("--gpu", default="h100", help="of --nvcc: the GPU that programs run on")
    parser.add_argument("--check", metavar="WHAT", help="as that of heddle exec; lists all that is found")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="of programs whose names this pattern matches")
    parser.add_argument("suites", nargs="+", metavar="SUITE:PATH")
    asked = parser.parse_args()
    asked.heddle = str(Path(asked.heddle).resolve()) if "/" in asked.heddle else asked.heddle
    failures = []
    print("| suite | programs | compile | run | pass |\n|---|---|---|---|---|")
    for each in asked.suites:
        suite, path = each.split(":", 1)
        programs = [each for each in SUITES[suite](Path(path).resolve()) if re.search(asked.only, each[0])]
        with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
            outcomes = list(pool.map(lambda program: outcome(asked, *program), programs))
        stages = [stage for stage, _ in outcomes]
        compiled = sum(stage != "does not compile" for stage in stages)
        ran = sum(stage in ("passes", "differs") for stage in stages)
        print(f"| {suite} | {len(programs)} | {compiled} | {ran} | {stages.count('passes')} |", flush=True)
        failures += [f"- {suite} {program[0]}: {stage}: {reason}"
                     for program, (stage, reason) in zip(programs, outcomes) if stage != "passes"]
    print("\n".join(["", *failures]))


if __name__ == "__main__":
    main()
