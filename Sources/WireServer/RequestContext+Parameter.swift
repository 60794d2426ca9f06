import Foundation
public import Hummingbird

extension RequestContext {
    /// What stands in the path for `{name}`, with its percent-encoding removed, which the router leaves in.
    ///
    /// - Throws: A refusal with status 400 when the encoding is none, or not of UTF-8.
    public func parameter(_ name: String) throws -> String {
        guard let value = try parameters.require(name).removingPercentEncoding else { throw PathRefusal.unreadable(parameter: name) }
        return value
    }
}
