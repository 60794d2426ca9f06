public import PurchaseModel

/// Why a server can't run on its configuration.
///
/// Cases carry keys, names and paths, never secrets.
public enum ConfigurationError: Error, Equatable, Sendable {
    /// A key that must be there is not.
    case missing(key: String)
    /// The environment is not one that a server can have.
    case environment(String)
    /// Production counts Apple's roots and no others.
    case rootsInProduction
    /// The extra roots are no certificates that can be roots.
    case notRoots(reason: String)
    /// The text is no mode of asking about revoked certificates.
    case revocation(String)
    /// The file that a key names can't be read.
    case unreadable(key: String, path: String)
    /// The list of products is not the JSON that is expected; `place` is where reading failed.
    case productsMalformed(place: String)
    /// Two products have the same identifier.
    case productTwice(ProductID)
    /// A product's credits are outside of 1 to 1,000,000.
    case credits(ProductID)
    /// A product's file is not the plain name of a file in the content folder.
    case fileName(ProductID)
    /// The content folder is not there, or no folder.
    case contentFolder(path: String)
    /// The address that a key names is not an HTTP address.
    case address(key: String)
    /// In production the address that a key names is not https.
    case addressNotSecure(key: String)
    /// The database can't be opened or brought up to date.
    case database(path: String, reason: String)
    /// The port that a key names is outside of 0 to 65535.
    case port(key: String)
    /// A limit of connections is no number, or not one that it can be.
    case limit(key: String)
    /// The log level is none of swift-log's.
    case logLevel(String)
    /// A name in the configuration file or in the environment is no key.
    case unknownKey(String, nearest: String)
    /// A key stands in the configuration file twice.
    case doubledKey(String)
    /// The value of a key is not a text, or for a port not a number either.
    case wrongType(key: String)
    /// The configuration file is not a JSON object.
    case fileMalformed(path: String)
    /// A product in the list has a member that products do not have; `place` is which product.
    case productMember(String, place: String, nearest: String)
    /// The file of the database belongs to another program.
    case foreignDatabase(path: String)
    /// A newer version of this program has written the database.
    case newerDatabase(path: String)
    /// The address that a key names can't be listened on.
    case listening(key: String, address: String, reason: String)

    /// The key of the configuration that has to be changed.
    public var key: String {
        switch self {
        case .missing(let key), .unreadable(let key, _), .address(let key), .addressNotSecure(let key), .port(let key), .limit(let key): key
        case .unknownKey(let key, _), .doubledKey(let key), .wrongType(let key), .listening(let key, _, _): key
        case .fileMalformed: "configuration-file"
        case .environment: "environment"
        case .rootsInProduction, .notRoots: "extra-roots-file"
        case .revocation: "revocation"
        case .productsMalformed, .productTwice, .credits, .fileName, .productMember: "products-file"
        case .contentFolder: "content-folder"
        case .database, .foreignDatabase, .newerDatabase: "database"
        case .logLevel: "log-level"
        }
    }

    /// What is wrong, and what to put there.
    public var advice: String {
        switch self {
        case .missing:
            "it is missing; give it on the command line, in the environment, or in the configuration file."
        case .environment(let text):
            "\"\(text)\" is no environment of a server; put \"production\" or \"sandbox\" there."
        case .rootsInProduction:
            "a production configuration refuses roots other than Apple's; remove the key, or set environment to \"sandbox\"."
        case .notRoots(let reason):
            "the file does not hold root certificates; put the store's root certificates there, in PEM form. \(reason)"
        case .revocation(let text):
            "\"\(text)\" is no way to ask about revoked certificates; put off, soft or hard there."
        case .unreadable(_, let path):
            "the file \(path) can't be read; put the path of a readable file there."
        case .productsMalformed(let place):
            "the list can't be read at \(place); write [{\"id\": \"…\", \"credits\": 5, \"file\": \"book.txt\"}, …], where "
                + "credits and file may be left out."
        case .productTwice(let product):
            "the product \(product) is listed twice; list each product once."
        case .credits(let product):
            "the credits of \(product) are not from 1 to 1000000; leave them out for a product without credits."
        case .fileName(let product):
            "the file of \(product) is not a plain name; put the name of a file in the content folder there, without \"/\" "
                + "and not starting with a dot."
        case .contentFolder(let path):
            "\(path) is no folder; put the path of the folder with the products' files there."
        case .address:
            "it is not an http or https URL with a host and a port up to 65535; put one like https://buy.itunes.apple.com there, without /verifyReceipt."
        case .addressNotSecure:
            "a production configuration sends receipts and the shared secret over https only; put an address there that starts with https://."
        case .database(let path, let reason):
            "\(path) can't be opened (\(reason)); put the path of a file there that this process may write."
        case .logLevel(let text):
            "\"\(text)\" is no log level; put trace, debug, info, notice, warning, error or critical there."
        case .limit:
            "it is not a limit; put a number from 0.001 to 86400 there for seconds, or a whole number from 1 to 1000000000."
        case .port:
            "it is not a port; put a number from 0 to 65535 there."
        case .unknownKey(_, let nearest):
            "it is no key of the configuration; the nearest is \(nearest). Correct it, or remove it."
        case .doubledKey:
            "it stands in the configuration file twice; remove one of the two."
        case .wrongType:
            "its value is of the wrong type; write a text in quotes."
        case .fileMalformed(let path):
            "\(path) is not a JSON object; write {\"bundle-id\": \"…\", …} there."
        case .productMember(let name, let place, let nearest):
            "\(place) has the member \"\(name)\", which no product has; the nearest is \(nearest). Correct it, or remove it."
        case .foreignDatabase(let path):
            "\(path) is a file of another program; put the path of this server's database there, or of a file that is not there yet."
        case .newerDatabase(let path):
            "\(path) was written by a newer version of tillroll-server; run that version, or put the path of another database there."
        case .listening("host", let address, let reason):
            "\(address) can't be listened on: \(reason). Put 127.0.0.1 there for this machine only, or 0.0.0.0 for all of its addresses."
        case .listening(_, let address, let reason):
            "\(address) can't be listened on: \(reason). Put another one there, or 0 for any free port."
        }
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// The key and the advice, as one line.
    public var description: String { "\(key): \(advice)" }
}
