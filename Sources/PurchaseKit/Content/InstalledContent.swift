import Foundation

/// The content of a product that was completely downloaded and verified: a file, or a folder of content that the App Store hosts.
public struct InstalledContent: Codable, Hashable, Sendable {
    /// The path of the file or folder.
    public let path: String
    /// The length of the file, or of all files of the folder, in bytes.
    public let length: Int64
    /// The SHA-256 of the file's bytes, or of the bytes of all files in the order of their paths, in lower-case hexadecimal.
    public let sha256: String
    /// The name of the content's version, according to the App Store or the server; nil if the version is not known.
    public let version: String?

    /// Creates the record of a file that a ``ContentDelivery`` of the app has installed.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - length: The length of the file in bytes.
    ///   - sha256: The SHA-256 of the file's bytes, in lower-case hexadecimal.
    ///   - version: The version of the content, which ``ContentDelivery/update(_:for:report:)`` can compare with the current version.
    public init(path: String, length: Int64, sha256: String, version: String? = nil) {
        self.path = path
        self.length = length
        self.sha256 = sha256
        self.version = version
    }

    /// Returns the record with the path in a folder if the content has moved there; otherwise returns the record unchanged.
    func located(in folder: String) -> InstalledContent {
        let current = "\(folder)/\(URL(filePath: path).lastPathComponent)"
        guard current != path, !FileManager.default.fileExists(atPath: path), FileManager.default.fileExists(atPath: current) else {
            return self
        }
        return InstalledContent(path: current, length: length, sha256: sha256, version: version)
    }
}
