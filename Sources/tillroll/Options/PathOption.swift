import ArgumentParser

/// A path from the command line.
///
/// An empty path, as from an unset variable, is an error and does not mean the current folder.
///
/// - Throws: A usage error for an empty path.
@Sendable func givenPath(_ text: String) throws -> String {
    guard !text.isEmpty else { throw ValidationError("it is empty. Give a path, or leave the option out where it is optional.") }
    return text
}
