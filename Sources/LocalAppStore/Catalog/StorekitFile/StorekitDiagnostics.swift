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

    /// The places of the keys and values that the reader ignores, because a later version of the format can have introduced them.
    private var ignored: [String] = []
    private var ignoredCount = 0
    private var errors: [CatalogFinding] = []
    private var warnings: [CatalogFinding] = []
    private var omittedCount = 0

    /// Whether the file states a version that is later than the latest known version.
    var isLaterVersion: Bool { declaredVersion.map { $0 > .latest } ?? false }

    /// The warning that the file has a later version than the reader knows, with the places of what is ignored; nil for a known version.
    var laterVersionWarning: CatalogFinding? {
        guard isLaterVersion, let declaredVersion else { return nil }
        let others = ignoredCount - ignored.count
        let places = ignored.joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
        return CatalogFinding(
            .warning, at: "version",
            "Version \(declaredVersion) is later than version \(StorekitVersion.latest.major), the latest known version, so only known "
                + "keys and values are used. Ignored: \(ignored.isEmpty ? "nothing" : places).")
    }

    /// All findings: errors first, then warnings, each in the order of the file.
    var findings: [CatalogFinding] {
        let more = CatalogFinding(
            .warning, at: "$", "The file has \(omittedCount) more findings: fix the listed findings, then check the file again.")
        return errors + (laterVersionWarning.map { [$0] } ?? []) + warnings + (omittedCount > 0 ? [more] : [])
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

    /// Adds a finding for a member whose value is none of the known values: an error, or in a file of a later version a warning.
    ///
    /// The caller skips the object that has the member. `reason` is a sentence without an initial capital.
    func unknownValue(of object: StorekitObject, _ key: String, _ reason: String) {
        guard !isLaterVersion else { return ignoreElement(object.path, because: object.memberPath(key)) }
        invalidValue(object.memberPath(key), reason)
    }

    /// Adds a warning about an element that is skipped, because the value at `path` is unknown in a file of a later version.
    func ignoreElement(_ element: String, because path: String) {
        noteIgnored(element)
        warning(path, "The value is unknown, so \(element) is ignored: a later version of the format can have introduced the value.")
    }

    /// Notes the place of a key or value that is ignored, for ``laterVersionWarning``.
    func noteIgnored(_ path: String) {
        ignoredCount += 1
        if ignored.count < Self.ignoredLimit { ignored.append(path) }
    }

    /// The maximum number of places in ``laterVersionWarning``.
    private static let ignoredLimit = 20

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
