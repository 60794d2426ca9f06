package import Crypto
import Foundation

/// Computes the digests of whole files.
package enum FileDigest {
    /// Returns the SHA-256 of a file, with a memory of 64 KiB for a file of any size.
    package static func sha256(_ path: String) throws -> SHA256.Digest {
        let handle = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? handle.close() }
        var hash = SHA256()
        while let chunk = try handle.read(upToCount: 1 << 16), !chunk.isEmpty { hash.update(data: chunk) }
        return hash.finalize()
    }
}
