/// The list of the corpus in `Tests/Forgeries`: `manifest.json`, whose format the README there describes.
package struct ForgeryManifest: Codable, Sendable {
    /// The version of the format; it grows when readers of the one before would misunderstand the new one.
    package static let currentFormat = 1

    /// Where the format is written down for machines.
    package var schema = "manifest.schema.json"
    /// The version of the format.
    package var format = currentFormat
    /// When the certificates were made, from which their validity is reckoned.
    package var made: String
    /// The certificates that cases want to be trusted, and those of strangers, by name.
    package var roots: [String: Root]
    /// The cases.
    package var cases: [Case]

    package init(made: String, roots: [String: Root], cases: [Case]) {
        self.made = made
        self.roots = roots
        self.cases = cases
    }

    private enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case format
        case made
        case roots
        case cases
    }

    /// A certificate that can be trusted.
    package struct Root: Codable, Sendable {
        /// The PEM file.
        package var file: String
        /// Where it counts when it is trusted; nowhere for strangers.
        package var environments: [String]
        /// Whose it is.
        package var what: String

        package init(file: String, environments: [String], what: String) {
            self.file = file
            self.environments = environments
            self.what = what
        }
    }

    /// What a case is.
    package enum Kind: String, Codable, Sendable {
        case receipt
        case transactionReceipt = "transaction-receipt"
        case jws
    }

    /// The results of a verification.
    package enum Result: String, Codable, Sendable {
        case verified
        case refused
        case indeterminate
    }

    /// One forgery, near-miss or genuine piece.
    package struct Case: Codable, Sendable, CustomStringConvertible {
        /// Its name, which stays.
        package var id: String
        package var kind: Kind
        /// What a JWS is to be read as, in the words of `SignedDataKind`.
        package var payload: String?
        /// Where its bytes are.
        package var file: String
        /// What is wrong with it, or unusual about it.
        package var what: String
        /// What an attacker would gain, or what honest people would lose.
        package var why: String
        /// What the verifier is to be asked.
        package var verify: Verify
        package var result: Result
        /// The reason's code; nil for what is verified.
        package var reason: String?
        /// Where it shows.
        package var place: String?

        package init(
            id: String, kind: Kind, payload: String?, file: String, what: String, why: String, verify: Verify, result: Result,
            reason: String?, place: String?
        ) {
            self.id = id
            self.kind = kind
            self.payload = payload
            self.file = file
            self.what = what
            self.why = why
            self.verify = verify
            self.result = result
            self.reason = reason
            self.place = place
        }

        package var description: String { id }
    }

    /// What a verifier is to be asked about a case.
    package struct Verify: Codable, Sendable {
        /// The names of the roots to trust.
        package var roots: [String]
        /// The app.
        package var bundleID: String
        /// The environments to accept.
        package var environments: [String]
        /// The app's number in the App Store.
        package var appAppleID: Int64?
        /// The app's version.
        package var appVersion: String?
        /// The device's UUID, to which receipts are bound.
        package var device: String?
        /// The device's other UUID, to which JWS are bound.
        package var deviceVerificationID: String?
        /// The verifier's clock; without it the clock does not matter, and nothing that needs one is asked.
        package var time: String?
        /// How many seconds old the data may be at that time.
        package var maximumAge: Int64?
        /// Whether certificates may have been revoked; without it nobody is asked.
        package var revocation: Revocation?

        package init(roots: [String], bundleID: String, environments: [String]) {
            self.roots = roots
            self.bundleID = bundleID
            self.environments = environments
        }

        private enum CodingKeys: String, CodingKey {
            case roots
            case bundleID = "bundle_id"
            case environments
            case appAppleID = "app_apple_id"
            case appVersion = "app_version"
            case device
            case deviceVerificationID = "device_verification_id"
            case time
            case maximumAge = "maximum_age"
            case revocation
        }
    }

    /// Who answers about revocation.
    package struct Revocation: Codable, Sendable {
        /// `hard`: an answer must come; `soft`: it need not.
        package var mode: String
        /// The answers; to a question about any other certificate none comes.
        package var answers: [Answer]

        package init(mode: String, answers: [Answer]) {
            self.mode = mode
            self.answers = answers
        }

        /// A recorded answer of a responder.
        package struct Answer: Codable, Sendable {
            /// The serial number of the certificate that it is about, in lower-case hexadecimal digits.
            package var serial: String
            /// The OCSP response in DER.
            package var file: String

            package init(serial: String, file: String) {
                self.serial = serial
                self.file = file
            }
        }
    }
}
