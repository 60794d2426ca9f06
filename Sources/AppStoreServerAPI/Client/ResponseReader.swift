import Foundation
import FoundationExtras
import PurchaseModel

/// The meaning of an HTTP response of the App Store Server API.
struct ResponseReader: Sendable {
    /// The App Store's time at the response; nil if the response has no valid `Date` header.
    let serverTime: Timestamp?
    /// The error that the response states; nil for a successful response.
    let error: AppStoreServerAPIError?

    /// Reads the status, the headers, and the body of an error response.
    ///
    /// - Parameter now: The local time of the response.
    init(_ response: ServerAPITransportResponse, now: Timestamp) {
        serverTime = response.header("Date").flatMap { HTTPDate.parse($0) }
        let ahead = serverTime.map { ClockSkew.milliseconds(of: now, aheadOf: $0) } ?? 0
        let skew = ClockSkew.isSignificant(ahead) ? ahead : 0
        error =
            switch response.status {
            case 200..<300: nil
            case 401: .unauthorized(clockSkew: skew == 0 ? nil : skew / 1000)
            case 429: .rateLimited(until: Self.retryDate(response.header("Retry-After"), now: now, skew: skew))
            case 400..<500: .api(Self.errorResponse(response))
            case 500..<600: .unavailable(.serverError(Self.errorResponse(response)))
            default: .malformedResponse(status: response.status, "The HTTP status is not expected.")
            }
    }

    /// Decodes the body of a successful response.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from response: ServerAPITransportResponse
    ) throws(AppStoreServerAPIError) -> Value {
        do {
            return try WireJSON.decode(type, from: response.body)
        } catch {
            throw .malformedResponse(status: response.status, problem(error))
        }
    }

    /// Returns the local time of the next permitted request; nil for a time that is not in the future or not within a year.
    ///
    /// The App Store sends an absolute time in milliseconds since 1970. Proxies can send a number of seconds or a date, as in RFC 9110,
    /// section 10.2.3. A number below a billion is a number of seconds, because in milliseconds it would be a date in January 1970.
    ///
    /// - Parameters:
    ///   - now: The local time.
    ///   - skew: The number of milliseconds by which the local clock is ahead of the App Store's clock.
    static func retryDate(_ text: String?, now: Timestamp, skew: Int64) -> Timestamp? {
        guard let text else { return nil }
        let date: Timestamp
        if let number = Int64(text) {
            date =
                (0..<1_000_000_000).contains(number)
                ? now.adding(seconds: number) : Timestamp(milliseconds: number).adding(milliseconds: skew)
        } else if let parsed = HTTPDate.parse(text) {
            date = parsed.adding(milliseconds: skew)
        } else {
            return nil
        }
        return date > now && date < now.adding(days: 366) ? date : nil
    }

    private static func errorResponse(_ response: ServerAPITransportResponse) -> ServerAPIErrorResponse {
        let body = try? WireJSON.decode(LenientErrorBody.self, from: response.body)
        return ServerAPIErrorResponse(status: response.status, code: body?.errorCode, message: body?.errorMessage.flatMap(printable))
    }

    /// The body of an error response, of which a member with another type counts as absent.
    private struct LenientErrorBody: Decodable {
        let errorCode: Int64?
        let errorMessage: String?

        enum CodingKeys: String, CodingKey {
            case errorCode
            case errorMessage
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            errorCode = try? container.decode(Int64.self, forKey: .errorCode)
            errorMessage = try? container.decode(String.self, forKey: .errorMessage)
        }
    }

    /// Returns a text that is safe to print and to log; nil for an empty text.
    private static func printable(_ text: String) -> String? {
        var result = ""
        result.unicodeScalars.append(contentsOf: text.unicodeScalars.prefix(300).filter { !IdentifierText.isControl($0) })
        return result.isEmpty ? nil : result
    }

    /// Returns the place and the kind of a decoding error, without a value of the JSON.
    private static func problem(_ error: any Error) -> String {
        func text(_ path: [any CodingKey], _ problem: String) -> String {
            path.isEmpty ? "The body \(problem)." : "The value at \(path.map(\.stringValue).joined(separator: ".")) \(problem)."
        }
        return switch error as? DecodingError {
        case .keyNotFound(let key, let context): text(context.codingPath + [key], "is missing")
        case .valueNotFound(_, let context): text(context.codingPath, "is null")
        case .typeMismatch(_, let context): text(context.codingPath, "has another type")
        case .dataCorrupted(let context):
            text(context.codingPath, context.codingPath.isEmpty ? "is not JSON, or contains a number out of range" : "is invalid")
        default: text([], "is not JSON")
        }
    }
}
