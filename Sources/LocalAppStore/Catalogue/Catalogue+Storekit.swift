public import Foundation

extension Catalogue {
    /// STUB until the writer comes.
    public var storekit: Data { Data("{}".utf8) }
}
