extension CatalogueError {
    /// What a failure of the JSON decoder means for the file.
    init(_ error: DecodingError) {
        self =
            switch error {
            case .keyNotFound(let key, let context): .missing(path: Self.path(context.codingPath + [key]))
            case .valueNotFound(_, let context): .missing(path: Self.path(context.codingPath))
            case .typeMismatch(_, let context): context.codingPath.isEmpty ? .notJSON : .wrongType(path: Self.path(context.codingPath))
            case .dataCorrupted(let context): context.codingPath.isEmpty ? .notJSON : .wrongType(path: Self.path(context.codingPath))
            @unknown default: .notJSON
            }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
