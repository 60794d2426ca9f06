import Foundation

/// Measures, or lays out what was measured.
///
/// `Benchmarks/run` calls it several times:
///
///     benchmark one-core SAMPLES [NAME]     what one core does, and what is allocated; only NAME, for a profiler
///     benchmark two-cores SAMPLES           the same work on one core and on two
///     benchmark table FILE…                 a table for people
///     benchmark json FILE…                  the same rows for programs
///     benchmark allocations LIMITS FILE…    exit 1 when more is allocated than LIMITS allows
@main struct Benchmark {
    static func main() async {
        // Off the main thread, where a server verifies too: else every wait would change threads twice.
        let work = Task.detached { try await run(Array(CommandLine.arguments.dropFirst())) }
        do { try await work.value } catch {
            FileHandle.standardError.write(Data("benchmark: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        guard arguments.count >= 2 else { throw Failure("It needs a command and a folder or files.") }
        let rest = Array(arguments.dropFirst())
        switch arguments[0] {
        case "one-core":
            try await OneCore(Samples(folder: rest[0])).measure(only: rest.dropFirst().first).write()
        case "two-cores":
            try await TwoCores(Samples(folder: rest[0])).measure().write()
        case "table":
            print(Report(try Measurements(files: rest)).table)
        case "json":
            print(try Report(Measurements(files: rest)).json)
        case "allocations":
            try AllocationLimits(file: rest[0]).check(Measurements(files: rest.dropFirst()))
        default:
            throw Failure("It does not know \(arguments[0]).")
        }
    }
}
