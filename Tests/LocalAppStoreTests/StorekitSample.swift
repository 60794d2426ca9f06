import Foundation
import LocalAppStore

/// A file of `Tests/Storekit`, which has one file of each version in Xcode's format.
struct StorekitSample: CustomStringConvertible, Sendable {
    static let all = ["1.0", "1.1", "1.2", "2.0", "3.0", "4.0", "5.0"].map { StorekitSample(version: $0) }

    let version: String

    var description: String { version }

    var data: Data {
        get throws {
            let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
            return try Data(contentsOf: folder.appending(path: "Storekit/version-\(version).storekit"))
        }
    }

    var text: String {
        get throws { String(decoding: try data, as: UTF8.self) }
    }

    static func catalog(_ version: String) throws -> Catalog {
        try Catalog(storekit: StorekitSample(version: version).data)
    }
}
