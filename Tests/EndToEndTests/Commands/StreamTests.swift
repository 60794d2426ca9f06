import Foundation
import ProcessTestSupport
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import Testing

/// Tests of output that is not read or can't be written.
@Suite struct StreamTests {
    /// Commands with output, and the exit code of their result.
    private static let printing: [(String, Int32)] = [
        ("receipt verify receipt --root mine/roots.pem", 0), ("receipt verify receipt --json", 1), ("receipt inspect receipt", 0),
        ("receipt issue --authority mine --base64", 0), ("jws issue --authority mine --count 50", 0),
        ("verify-batch lines --root mine/roots.pem", 0),
    ]

    private static func with(_ body: (CommandFolder) async throws -> Void) async throws {
        try await CommandFolder.with { command in
            let receipt = Data(try TestAuthority.shared.receipts.issue(.sample()))
            try command.write(receipt, to: "receipt")
            try command.write(receipt.base64EncodedData() + Data("\n".utf8), to: "lines")
            try await body(command)
        }
    }

    @Test(arguments: printing)
    func `a closed pipe is not an error, and the exit code is that of the result`(_ arguments: String, _ code: Int32) async throws {
        try await Self.with { command in
            // The reader has ended before the command begins.
            let outcome = try await command.shell("exec 3> >(exit 0); wait $!; \"$tillroll\" \(arguments) >&3")
            #expect(outcome.code == code)
            #expect(!outcome.error.contains("Error"), "\(outcome.error)")
        }
    }

    @Test(arguments: printing)
    func `a closed standard output is not an error`(_ arguments: String, _ code: Int32) async throws {
        try await Self.with { command in
            let outcome = try await command.shell("exec \"$tillroll\" \(arguments) >&-")
            #expect(outcome.code == code)
            #expect(!outcome.error.contains("Error"), "\(outcome.error)")
            #expect(try await command.shell("exec \"$tillroll\" \(arguments) >/dev/null 2>&-").code == code)
        }
    }

    @Test(arguments: ["0<&-", "1>&-", "2>&-"])
    func `a closed standard stream is the null device before the command opens a file`(_ closing: String) async throws {
        try await Self.with { command in
            // The null device has no items to verify; without it, the descriptor is free or belongs to the runtime, and can't be opened.
            let own = "/proc/self/fd/\(closing.prefix(1))"
            let outcome = try await command.shell("exec \"$tillroll\" verify-batch \(own) --root mine/roots.pem \(closing)")
            #expect(outcome.code == 0, "\(outcome.error)")
        }
    }

    @Test(arguments: printing)
    func `a full device exits with 74 and a message`(_ arguments: String, _ code: Int32) async throws {
        try await Self.with { command in
            let outcome = try await command.shell("exec \"$tillroll\" \(arguments) >/dev/full")
            #expect(outcome.code == 74)
            #expect(outcome.error.contains("no space left on device"), "\(outcome.error)")
        }
    }

    @Test(arguments: ["receipt issue --authority mine", "jws issue --authority mine", "verify-batch lines"])
    func `a full device at --output exits with 74 and a message`(_ arguments: String) async throws {
        try await Self.with { command in
            let outcome = try await command.shell("exec \"$tillroll\" \(arguments) --output /dev/full")
            #expect(outcome.code == 74 && outcome.error.contains("no space left on device"), "\(outcome.code) \(outcome.error)")
        }
    }

    @Test func `a closed standard input counts as empty`() async throws {
        try await Self.with { command in
            let outcome = try await command.shell("exec \"$tillroll\" receipt verify --json <&-")
            #expect(outcome.code == 1 || outcome.code == 64)
            #expect(!outcome.text.contains("verified"))
        }
    }
}
