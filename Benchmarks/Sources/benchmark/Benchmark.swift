import Foundation

/// Measures verification, or prints measurements.
///
/// `Benchmarks/run` calls it several times:
///
///     benchmark one-core SAMPLES [NAME]     measures one core and allocations; NAME selects one subject, for a profiler
///     benchmark two-cores SAMPLES           measures the same work on one core and on two cores
///     benchmark table FILE…                 prints measurements as a table
///     benchmark json FILE…                  prints measurements as JSON
///     benchmark allocations LIMITS FILE…    exits with status 1 if allocations exceed LIMITS
@main struct Benchmark {
    static func main() async {
        // A detached task runs off the main thread, as in a server. On the main thread, every await would switch threads twice.
        let work = Task.detached { try await run(Array(CommandLine.arguments.dropFirst())) }
        do { try await work.value } catch {
            FileHandle.standardError.write(Data("benchmark: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        guard arguments.count >= 2 else {
            throw Failure("Missing arguments. Usage: benchmark one-core|two-cores SAMPLES, or benchmark table|json|allocations FILE…")
        }
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
            throw Failure("Unknown command \"\(arguments[0])\". Commands: one-core, two-cores, table, json, allocations")
        }
    }
}
