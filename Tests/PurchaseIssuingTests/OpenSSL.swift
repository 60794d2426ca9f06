import Foundation
import PurchaseTestSupport
import SwiftASN1
import X509

/// The openssl command, in a temporary folder.
struct OpenSSL {
    /// The result of a run of the command.
    struct Outcome {
        let isSuccess: Bool
        /// Standard output, followed by standard error.
        let text: String
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Writes a file to the folder.
    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: folder.file(name))
    }

    /// Writes certificates to a PEM file in the folder.
    func write(_ certificates: Certificate..., to name: String) throws {
        let text = try certificates.map { try $0.serializeAsPEM().pemString }.joined(separator: "\n")
        try write(Array("\(text)\n".utf8), to: name)
    }

    /// Reads a file from the folder.
    func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.file(name)))
    }

    /// Runs the command in the folder.
    func run(_ arguments: String...) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        // The outputs are files, because a full pipe that is not read would block the command.
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
