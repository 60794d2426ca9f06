/// What is found out about a file besides its content, while it is read.
///
/// A class, for all parts of the reader write into the same notes; it never leaves the call that made it.
final class StorekitNotes {
    /// The version that the file states; nil for none.
    var stated: StorekitVersion?
    /// The lowest version that holds the content.
    private(set) var needed = StorekitVersion(1, 0)
    /// The first reason why the file cannot be used.
    private(set) var firstError: CatalogError?

    private var errors: [CatalogFinding] = []
    private var warnings: [CatalogFinding] = []
    private var overlooked = 0

    /// Every finding: errors first, each in the order of the file.
    var findings: [CatalogFinding] {
        let more = CatalogFinding(.warning, at: "$", "There are \(overlooked) more findings: mend these first, and look again.")
        return errors + warnings + (overlooked > 0 ? [more] : [])
    }

    /// Notes why the file cannot be used, with what to do about it.
    func error(_ error: CatalogError, _ sentence: String) {
        firstError = firstError ?? error
        guard errors.count < CatalogFinding.limit else {
            overlooked += 1
            return
        }
        errors.append(CatalogFinding(.error, at: error.path, sentence))
    }

    /// Notes that a value cannot be used, and why.
    func unusable(_ path: String, _ reason: String) {
        error(.unusable(path: path, reason: reason), reason.prefix(1).uppercased() + reason.dropFirst())
    }

    /// Notes what should be mended and does not keep the file from being used.
    func warning(_ path: String, _ sentence: String) {
        guard warnings.count < CatalogFinding.limit else {
            overlooked += 1
            return
        }
        warnings.append(CatalogFinding(.warning, at: path, sentence))
    }

    /// Notes that a key is there.
    func uses(_ key: String, at path: String, since version: StorekitVersion) {
        needed = max(needed, version)
        if let stated, version > stated {
            warning(path, "The key \(key) came with version \(version), but the file says \(stated): raise the version.")
        }
    }
}
