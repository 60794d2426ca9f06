import Foundation
import PurchaseModel
package import PurchaseProof

/// The inputs in `Fuzz/Corpus`: genuine data, and inputs that fuzzing found.
public enum FuzzCorpus {
    private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzz/Corpus")

    /// An input of a fuzz target.
    public struct Input: CustomStringConvertible, Sendable {
        /// The file's name.
        public let name: String
        /// The contents of the file.
        public let bytes: [UInt8]
        /// Whether the input is genuine signed data.
        public var isGenuine: Bool { !name.hasPrefix("found-") }

        /// The name in test results.
        public var description: String { name }
    }

    /// The inputs of a target, sorted by name.
    public static func inputs(_ target: String) throws -> [Input] {
        try FileManager.default.contentsOfDirectory(at: folder.appending(path: target), includingPropertiesForKeys: nil)
            .map { Input(name: $0.lastPathComponent, bytes: Array(try Data(contentsOf: $0))) }
            .sorted { $0.name < $1.name }
    }

    /// The trusted roots of the genuine inputs.
    package static var roots: TrustedRoots {
        get throws {
            func pem(_ name: String) throws -> String { try String(contentsOf: folder.appending(path: name), encoding: .utf8) }
            return try .apple(and: pem("roots.pem"), in: [.sandbox]).trusting(pem("xcode-roots.pem"), in: [.xcode])
        }
    }
}
