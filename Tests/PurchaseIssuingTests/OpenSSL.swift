import Foundation
import PurchaseTestSupport
import SwiftASN1
import X509

/// Somebody else's program, in a folder of its own.
struct OpenSSL {
    /// What a run of it said.
    struct Outcome {
        let isSuccess: Bool
        /// Both outputs, one after the other.
        let text: String
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Puts a file into the folder.
    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: folder.file(name))
    }

    /// Puts a certificate into the folder, as PEM.
    func write(_ certificates: Certificate..., to name: String) throws {
        let text = try certificates.map { try $0.serializeAsPEM().pemString }.joined(separator: "\n")
        try write(Array("\(text)\n".utf8), to: name)
    }

    /// Reads a file from the folder.
    func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.file(name)))
    }

    /// Runs it in the folder.
    func run(_ arguments: String...) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        // Files, since a pipe that nobody reads while the program runs would stop it when it is full.
        var outputs: [FileHandle] = []
        for name in ["stdout", "stderr"] {
            try write([], to: name)
            outputs.append(try FileHandle(forWritingTo: folder.file(name)))
        }
        process.standardOutput = outputs[0]
        process.standardError = outputs[1]
        try process.run()
        process.waitUntilExit()
        let text = try String(decoding: read("stdout") + read("stderr"), as: UTF8.self)
        return Outcome(isSuccess: process.terminationReason == .exit && process.terminationStatus == 0, text: text)
    }
}
