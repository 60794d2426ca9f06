/// The parameters of a statement as libpq expects them: null-terminated texts, stored in one allocation.
struct ParameterBuffer {
    /// The maximum number of parameters, which PostgreSQL's protocol counts in 16 bits.
    private static let limit = 65535

    private var storage: [CChar] = []
    /// The byte offset of each parameter in `storage`; nil for `NULL`.
    private var offsets: [Int?] = []

    /// Creates a buffer with the texts of parameters.
    ///
    /// - Throws: ``PostgresError/tooManyParameters`` for more than 65,535 parameters, ``PostgresError/nullByteInText`` for a text with
    ///   a null byte.
    init(_ parameters: [PostgresValue]) throws(PostgresError) {
        guard parameters.count <= Self.limit else {
            throw .tooManyParameters
        }
        for parameter in parameters {
            guard let text = parameter.textFormat else {
                offsets.append(nil)
                continue
            }
            // A text of PostgreSQL cannot contain a null byte, and C would silently truncate the text at the null byte.
            guard !text.contains(0) else {
                throw .nullByteInText
            }
            offsets.append(storage.count)
            storage.append(contentsOf: text.lazy.map(CChar.init(bitPattern:)))
            storage.append(0)
        }
    }

    /// The number of parameters.
    var count: Int32 {
        Int32(offsets.count)
    }

    /// Calls `body` with a pointer to each parameter, nil for `NULL`; the pointers are valid only during the call.
    func withPointers<Value>(_ body: ([UnsafePointer<CChar>?]) -> Value) -> Value {
        unsafe storage.withUnsafeBufferPointer { bytes in
            let pointers = unsafe offsets.map { offset in
                // A non-nil offset implies that the storage is not empty, so it has a base address.
                unsafe offset.flatMap { unsafe bytes.baseAddress?.advanced(by: $0) }
            }
            return unsafe body(pointers)
        }
    }
}
