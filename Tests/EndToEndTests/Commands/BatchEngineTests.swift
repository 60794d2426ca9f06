import ArgumentParser
import Foundation
import PurchaseProof
import PurchaseTestSupport
import Synchronization
import Testing

@testable import tillroll

/// Tests of the engine and the sources of a batch, without a process.
@Suite struct BatchEngineTests {
    /// Counts read and delivered items, and the maximum difference between the two.
    private final class Count: Sendable {
        let read = Mutex(0)
        let delivered = Mutex(0)
        let farthest = Mutex(0)

        func note() {
            let ahead = read.withLock { $0 } - delivered.withLock { $0 }
            farthest.withLock { $0 = max($0, ahead) }
        }
    }

    /// A source of chunks with one item each.
    private struct Numbers: BatchSource {
        let total: Int
        let count: Count
        var number = 0

        var isReady: Bool { true }
        var end: Int? { total }

        mutating func skip(through origin: BatchItem.Origin) {}

        mutating func next() -> BatchChunk? {
            guard number < total else { return nil }
            number += 1
            count.read.withLock { $0 += 1 }
            count.note()
            return BatchChunk(items: [BatchItem(origin: .line(number), content: .tooLong)], position: number)
        }
    }

    @Test(arguments: [1, 2, 5])
    func `results are in order and reading stays within a window, even if the first item is the slowest`(_ jobs: Int) async throws {
        let count = Count()
        let (others, done) = AsyncStream.makeStream(of: Void.self)
        let finished = Mutex(0)
        let engine = BatchEngine(jobs: jobs) { item in
            if item.origin == .line(1), jobs > 1 {
                // The first item completes after all other items of the window.
                for await _ in others { break }
            } else if finished.withLock({
                $0 += 1
                return $0
            }) == jobs * 4 - 1 {
                done.yield()
            }
            return BatchResult(origin: item.origin, explanation: VerificationExplanation(result: .verified))
        }
        var source = Numbers(total: 200, count: count)
        var lines: [UInt8] = []
        try await engine.run(&source) { answer in
            count.delivered.withLock { $0 += 1 }
            lines += answer.lines
        }
        let expected = (1...200).map { "{\"line\":\($0),\"result\":\"verified\"}\n" }.joined()
        #expect(String(decoding: lines, as: UTF8.self) == expected)
        #expect(count.farthest.withLock { $0 } <= jobs * 4)
    }

    @Test func `a failed delivery ends the run`() async throws {
        let count = Count()
        let engine = BatchEngine(jobs: 2) { BatchResult(origin: $0.origin, explanation: VerificationExplanation(result: .verified)) }
        var source = Numbers(total: 1_000, count: count)
        await #expect(throws: SystemError(number: ENOSPC)) {
            try await engine.run(&source) { _ in throw SystemError(number: ENOSPC) }
        }
        #expect(count.read.withLock { $0 } <= 16)
    }

    private static func items(of text: [UInt8], maximumLength: Int, skipping: Int? = nil) throws -> [BatchItem] {
        let folder = try TemporaryFolder()
        let path = folder.file("lines").path
        try Data(text).write(to: URL(filePath: path))
        let file = try FileDescriptor.reading(path)
        defer { file.close() }
        var source = LineSource(file, name: "lines", maximumLength: maximumLength)
        if let skipping { try source.skip(through: .line(skipping)) }
        var items: [BatchItem] = []
        while let chunk = try source.next() { items += chunk.items }
        return items
    }

    @Test func `lines of every length around the block size are read whole, and overlong lines have no content`() throws {
        let lengths = [
            0, 1, LineSource.blockSize - 1, LineSource.blockSize, LineSource.blockSize + 1, 3 * LineSource.blockSize, 2, 400_000,
        ]
        let text = lengths.map { [UInt8](repeating: UInt8(ascii: "x"), count: $0) + [0x0A] }.joined()
        let items = try Self.items(of: Array(text), maximumLength: 400_000)
        let found = items.map { item in
            if case .bytes(let bytes) = item.content { bytes.count } else { -1 }
        }
        #expect(found == [1, LineSource.blockSize - 1, LineSource.blockSize, LineSource.blockSize + 1, -1, 2, 400_000])
        #expect(items.map(\.origin) == (2...8).map { .line($0) })
    }

    @Test func `a device without line breaks ends with an error, and a file of the same size with a result`() throws {
        let file = try FileDescriptor.reading("/dev/zero")
        defer { file.close() }
        var source = LineSource(file, name: "/dev/zero", maximumLength: 1_000)
        let error = #expect(throws: ValidationError.self) { try source.next() }
        #expect(error?.message.hasPrefix("Line 1 of /dev/zero does not end within ") == true)
        #expect(try Self.items(of: [UInt8](repeating: 0, count: 3_000), maximumLength: 1_000).count == 1)
    }

    @Test func `skipping omits verified items, and an input that is shorter than its results is refused`() throws {
        let text = Array("a\nb\n\nd".utf8)
        #expect(try Self.items(of: text, maximumLength: 9, skipping: 2).map(\.origin) == [.line(4)])
        #expect(try Self.items(of: text, maximumLength: 9, skipping: 4).isEmpty)
        #expect(throws: (any Error).self) { try Self.items(of: text, maximumLength: 9, skipping: 5) }
    }

    @Test(arguments: [
        ("", nil), ("{\"line\":3,\"result\":\"verified\"}\n", BatchItem.Origin.line(3)),
        ("{\"line\":3,\"result\":\"verified\"}\n{\"line\":4,\"ver", .line(3)), ("{\"li", nil),
        (
            "{\"file\":\"a,\\\"result\\\":\\\"guilty\\\"\",\"result\":\"indeterminate\",\"reason\":\"x\"}\n",
            .file("a,\"result\":\"guilty\"")
        ),
    ])
    func `a scan of results ends after the last complete result`(_ text: String, _ last: BatchItem.Origin?) {
        let size = text.utf8.lastIndex(of: UInt8(ascii: "\n")).map { text.utf8.distance(from: text.utf8.startIndex, to: $0) + 1 } ?? 0
        // The result must not depend on the size of the blocks.
        for length in [1, 7, 1_000] {
            var scan = ResultScan()
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: length) { scan.read(Array(bytes[start..<min(bytes.count, start + length)])) }
            scan.end()
            #expect(scan.isOfResults)
            #expect(scan.validSize == size)
            #expect(scan.last == last)
        }
    }

    @Test(arguments: [
        (50, 0, 50, 100, 10.0, "50%  50 done  5/s  10 s left"), (1_234_567, 0, 1, 3, 60.0, "33%  1,234,567 done  20,576/s  2 min 0 s left"),
        (10, 0, 10, nil, 2.0, "10 done  5/s"), (0, 5, 5, 10, 0.0, "50%  0 done  0/s"),
        (1, 0, 1, 1_000_000, 1.0, "0%  1 done  1/s  days left"),
        (9, 90, 100, 100, 1.0, "100%  9 done  9/s  0 s left"),
    ])
    func `progress shows completed items, rate and remaining time`(
        _ done: Int, _ first: Int, _ position: Int, _ end: Int?, _ seconds: Double, _ status: String
    ) {
        #expect(BatchProgress.status(done: done, first: first, position: position, end: end, seconds: seconds) == status)
    }
}
