/// The errors, warnings and version of a `.storekit` file that the reader collects while it reads the file.
///
/// The type is a class because all parts of the reader share one instance, which never leaves the call that created it.
final class StorekitDiagnostics {
    /// The version that the file states; nil if the file states none.
    var declaredVersion: StorekitVersion?
    /// The lowest `.storekit` version that has all keys of the file.
    private(set) var requiredVersion = StorekitVersion(1, 0)
    /// The first error in the file; nil if the file has no error.
    private(set) var firstError: CatalogError?

    private var errors: [CatalogFinding] = []
    private var warnings: [CatalogFinding] = []
    private var omittedCount = 0

    /// All findings: errors first, then warnings, each in the order of the file.
    var findings: [CatalogFinding] {
        let more = CatalogFinding(
            .warning, at: "$", "The file has \(omittedCount) more findings: fix the listed findings, then check the file again.")
        return errors + warnings + (omittedCount > 0 ? [more] : [])
    }

    /// Adds an error; `message` is a sentence that states the problem and its solution.
    func error(_ error: CatalogError, _ message: String) {
        firstError = firstError ?? error
        guard errors.count < CatalogFinding.limit else {
            omittedCount += 1
            return
        }
        errors.append(CatalogFinding(.error, at: error.path, message))
    }

    /// Adds an error for a member with an invalid value; `reason` is a sentence without an initial capital.
    func invalidValue(_ path: String, _ reason: String) {
        error(.invalidValue(path: path, reason: reason), reason.prefix(1).uppercased() + reason.dropFirst())
    }

    /// Adds a warning about a problem that does not prevent reading the file.
    func warning(_ path: String, _ message: String) {
        guard warnings.count < CatalogFinding.limit else {
            omittedCount += 1
            return
        }
        warnings.append(CatalogFinding(.warning, at: path, message))
    }

    /// Raises ``requiredVersion`` for a key that occurs in the file, and adds a warning if the file's version is too low for the key.
    func noteKey(_ key: String, at path: String, since version: StorekitVersion) {
        requiredVersion = max(requiredVersion, version)
        if let declaredVersion, version > declaredVersion {
            warning(path, "The key \(key) requires version \(version), but the file has version \(declaredVersion): raise the version.")
        }
    }
}
