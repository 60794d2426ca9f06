package import Foundation
import PurchaseIssuing
package import PurchaseTestSupport

/// A temporary folder in which tests run `tillroll` with arguments and standard input.
///
/// The subfolder `mine` holds the tests' certificate authorities and their trusted roots.
package struct CommandFolder {
    /// The exit code and the output of a run.
    package struct Outcome {
        package let code: Int32
        package let output: Data
        package let error: String

        package var text: String { String(decoding: output, as: UTF8.self) }

        package var lines: [String] { text.split(separator: "\n").map(String.init) }

        /// The printed JSON object; empty if the output is not a JSON object.
        package var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: output)) as? [String: Any] ?? [:]
        }

        package var result: String? { json["result"] as? String }
        package var reason: String? { json["reason"] as? String }
        package var place: String? { json["place"] as? String }
    }

    package let folder: TemporaryFolder

    /// Creates a folder, calls `body` with it, and removes it afterward.
    package static func with<Result>(_ body: (CommandFolder) async throws -> Result) async throws -> Result {
        try await TemporaryFolder.with { folder in
            let command = CommandFolder(folder: folder)
            try FileManager.default.createDirectory(at: folder.file("mine"), withIntermediateDirectories: true)
            try command.write(Data(TestAuthority.shared.authority.archive.utf8), to: "mine/authority.pem")
            try command.write(Data(TestAuthority.shared.authority.rootsPEM.utf8), to: "mine/roots.pem")
            try command.write(Data(TestAuthority.xcode.archive.utf8), to: "mine/xcode.pem")
            let xcode = TestAuthority.xcode
            try command.write(Data((xcode.receiptCertificatePEM + xcode.signedDataCertificatePEM).utf8), to: "mine/xcode-roots.pem")
            return try await body(command)
        }
    }

    package func write(_ data: Data, to name: String) throws {
        try data.write(to: folder.file(name))
    }

    package func read(_ name: String) throws -> Data {
        try Data(contentsOf: folder.file(name))
    }

    /// Runs `tillroll` in the folder.
    package func run(_ arguments: String..., input: Data = Data()) async throws -> Outcome {
        try await run(arguments, input: input)
    }

    /// Runs `tillroll` in the folder.
    package func run(_ arguments: [String], input: Data = Data()) async throws -> Outcome {
        try await shell("exec \"$tillroll\" \"$@\"", arguments, input: input)
    }

    /// Runs a bash script in the folder. `$tillroll` and `$monkeyshop` are the paths of the commands.
    package func shell(_ script: String, _ arguments: [String] = [], input: Data = Data()) async throws -> Outcome {
        let run = UUID().uuidString
        try write(input, to: "\(run).in")
        let commands = ["tillroll", "monkeyshop"].map { "\($0)='\(BuiltProducts.path($0))'; " }.joined()
        let prelude = "cd '\(folder.url.path)'; \(commands)exec <\(run).in >\(run).out 2>\(run).err\n"
        let process = try LineProcess("/bin/bash", ["-c", prelude + script, "bash"] + arguments)
        let code = await process.end()
        let output = try read("\(run).out")
        let error = String(decoding: try read("\(run).err"), as: UTF8.self)
        for end in ["in", "out", "err"] { try FileManager.default.removeItem(at: folder.file("\(run).\(end)")) }
        return Outcome(code: code, output: output, error: error)
    }
}
