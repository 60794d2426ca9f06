public import PurchaseModel
public import PurchaseStorage

/// An error in the configuration of a server.
///
/// The cases contain keys, names and paths, never secrets.
public enum ConfigurationError: Error, Equatable, Sendable {
    /// A required key has no value.
    case missing(key: String)
    /// The value of `environment` is neither `production` nor `sandbox`.
    case environment(String)
    /// Additional root certificates are configured for production, which trusts only Apple's roots.
    case rootsInProduction
    /// The file of additional root certificates contains something other than root certificates.
    case notRoots(reason: String)
    /// The value of `revocation` is not a revocation mode.
    case revocation(String)
    /// The file that a key names cannot be read.
    case unreadable(key: String, path: String)
    /// The products file has an invalid format; `place` states the position of the error.
    case productsMalformed(place: String)
    /// Two products in the products file have the same identifier.
    case productTwice(ProductID)
    /// The products of the `.storekit` file have an invalid format; `place` states the position of the error.
    case storekitMalformed(place: String)
    /// The list of apps is not a list of 1 to 1,000 objects.
    case apps
    /// The configuration has a list of apps, and the bundle identifier of a single app.
    case appsAndBundleID
    /// Two apps have the same bundle identifier.
    case appTwice(BundleID)
    /// The key of the App Store Server API is invalid.
    case appStoreServerAPI(reason: String)
    /// The configuration requires confirmed transactions, but the app has no key of the App Store Server API.
    case confirmationWithoutKey(BundleID)
    /// The key that signs offers is not a private P-256 key.
    case offerKey
    /// The key file of the server's secrets can't be read or created, or has an invalid format.
    case secretKeyFile(path: String)
    /// The file with the keys of the server's secrets has the maximum number of keys.
    case secretKeysFull(path: String)
    /// An element of `trusted-proxies` is neither an IP address nor a range of addresses.
    case trustedProxy(String)
    /// The value of a key is not one of its permitted values.
    case choice(key: String, permitted: [String])
    /// A product's credits are not from 1 to 1,000,000.
    case credits(ProductID)
    /// The `file` of a product is not a plain file name.
    case fileName(ProductID)
    /// The content folder does not exist, or is not a folder.
    case contentFolder(path: String)
    /// The configured storage or delivery of the content is invalid.
    case content(key: String, ContentConfigurationError)
    /// The value of a key is not a list of names.
    case names(key: String)
    /// The value of a key is not an HTTP URL.
    case address(key: String)
    /// The value of a key is not an HTTPS URL, which production requires.
    case addressNotSecure(key: String)
    /// The SQLite file cannot be opened or migrated.
    case database(path: String, reason: String)
    /// The PostgreSQL server can't be reached, or can't write now; the same configuration can be valid later.
    case postgresUnavailable(reason: String)
    /// The PostgreSQL database cannot be opened or migrated.
    case postgres(reason: String)
    /// The database belongs to another program or to a newer version, or its tables were changed.
    case schema(SchemaError)
    /// The command `copy` has not copied all rows to the database.
    case unfinishedCopy
    /// The value of `database-replica` is not a connection URI, or `database` is not a PostgreSQL database.
    case replica
    /// PostgreSQL is configured without the path of the key file.
    case secretKeyFileMissing
    /// The value of a key is not a port from 0 to 65535.
    case port(key: String)
    /// The value of a connection limit is not a number, or out of range.
    case limit(key: String)
    /// The value of a key is not an integer in the permitted range.
    case number(key: String, range: ClosedRange<Int>)
    /// The value of `log-level` is not a level of swift-log.
    case logLevel(String)
    /// The value of `log-format` is neither `text` nor `json`.
    case logFormat(String)
    /// The value of `metrics-token` is too short, or contains characters that a header can't contain.
    case metricsToken
    /// A name in the configuration file or in the environment is not a key; `nearest` is the most similar key.
    case unknownKey(String, nearest: String)
    /// A key occurs twice in the configuration file.
    case doubledKey(String)
    /// The value of a key in the configuration file is neither a string nor, for a port or a limit, a number.
    case wrongType(key: String)
    /// The configuration file is not a JSON object.
    case fileMalformed(path: String)
    /// A product in the products file has an unknown member; `place` states the product, `nearest` the most similar member.
    case productMember(String, place: String, nearest: String)
    /// A service other than the App Store answers at a configured URL.
    case wrongAddress(key: String, url: String, answer: String)
    /// The server cannot listen on a configured address.
    case listening(key: String, address: String, reason: String)

    /// The key of the configuration that must be changed.
    public var key: String {
        switch self {
        case .missing(let key), .unreadable(let key, _), .names(let key), .address(let key), .addressNotSecure(let key), .port(let key),
            .limit(let key):
            key
        case .unknownKey(let key, _), .doubledKey(let key), .wrongType(let key), .listening(let key, _, _): key
        case .choice(let key, _), .number(let key, _), .wrongAddress(let key, _, _), .content(let key, _): key
        case .secretKeyFile, .secretKeysFull: "secret-key-file"
        case .fileMalformed: "configuration-file"
        case .appTwice, .appsAndBundleID: "bundle-id"
        case .apps: ConfigurationKeys.apps
        case .storekitMalformed: "storekit-file"
        case .appStoreServerAPI: "app-store-server-api"
        case .confirmationWithoutKey: "confirm-transactions"
        case .offerKey: "offers.private-key-file"
        case .environment: "environment"
        case .rootsInProduction, .notRoots: "extra-roots-file"
        case .revocation: "revocation"
        case .productsMalformed, .productTwice, .credits, .fileName, .productMember: "products-file"
        case .contentFolder: "content-folder"
        case .database, .schema, .postgresUnavailable, .postgres, .unfinishedCopy:
            "database"
        case .replica: "database-replica"
        case .secretKeyFileMissing: "secret-key-file"
        case .logLevel: "log-level"
        case .logFormat: "log-format"
        case .metricsToken: "metrics-token"
        case .trustedProxy: "trusted-proxies"
        }
    }

    /// A sentence that describes the error, and a sentence that states the correction.
    public var advice: String {
        switch self {
        case .missing:
            "the value is missing. Set the value on the command line, in the environment, or in the configuration file."
        case .environment(let text):
            "\"\(text)\" is not an environment of a server. Set \"production\" or \"sandbox\"."
        case .rootsInProduction:
            "a production configuration allows only Apple's roots. Remove the key, or set environment to \"sandbox\"."
        case .notRoots(let reason):
            "the file does not contain root certificates. Set a file with the store's root certificates in PEM form. \(reason)"
        case .revocation(let text):
            "\"\(text)\" is not a revocation mode. Set off, soft or hard."
        case .unreadable(_, let path):
            "the file \(path) can't be read. Set the path of a readable file."
        case .productsMalformed(let place):
            "the list is invalid at \(place). Use the format [{\"id\": \"…\", \"credits\": 5, \"file\": \"book.txt\"}, …], where "
                + "credits and file are optional."
        case .productTwice(let product):
            "the product \(product) is listed twice. List each product once."
        case .offerKey:
            "the file contains no private key. Set the .p8 file of an In-App Purchase key from App Store Connect."
        case .storekitMalformed(let place):
            "the file is not a valid .storekit file at \(place). Check the file with: tillroll storekit lint FILE"
        case .apps:
            "the value is not a list of 1 to \(ConfigurationKeys.appLimit) apps. Use the format [{\"bundle-id\": \"…\", …}, …]."
        case .appsAndBundleID:
            "the configuration has a list of apps, too. Remove this key, and state the identifier of each app in the list."
        case .appTwice(let app):
            "the app \(app) is configured twice. Configure each app once."
        case .appStoreServerAPI(let reason):
            "the key of the App Store Server API is not usable. \(reason)"
        case .confirmationWithoutKey(let app):
            "\(app) has no key of the App Store Server API, without which no transaction can be confirmed. Set "
                + "app-store-server-api.issuer-id, app-store-server-api.key-id and app-store-server-api.private-key-file, or set off or soft."
        case .secretKeyFile(let path):
            "\(path) is not a usable key file. Restore the file from a backup, or set a path in a folder that this process can write."
        case .secretKeysFull(let path):
            "\(path) has 1000 keys. Remove the keys of earlier backups with: tillroll-server secrets rotate --remove-earlier-keys"
        case .choice(_, let permitted):
            "the value is not permitted. Set one of: \(permitted.joined(separator: ", "))."
        case .credits(let product):
            "the credits of \(product) are not from 1 to 1000000. Omit credits for a product without credits."
        case .fileName(let product):
            "the file of \(product) is not a plain name. Set the name of a file in the content storage, of ASCII letters, digits and "
                + "! - _ . * ' ( ), without a leading dot."
        case .contentFolder(let path):
            "\(path) is not a folder. Set the path of the folder with the products' files."
        case .content(_, let error):
            error.description
        case .names:
            "the value is not a list of names. Set names of 1 to 100 bytes, separated by commas, such as beta, tester."
        case .address:
            "the value is not a valid http or https URL. Set a URL such as https://buy.itunes.apple.com/verifyReceipt."
        case .wrongAddress(_, let url, let answer):
            "at \(url), \(answer). Set the URL of the App Store or of a local store, as \"tillroll store up --json\" prints it, or remove the key."
        case .addressNotSecure:
            "a production configuration sends receipts and the shared secret over https only. Set a URL that starts with https://."
        case .database(let path, let reason):
            "\(path) can't be opened (\(reason)). Set the path of a file that this process can write."
        case .postgresUnavailable(let reason):
            "PostgreSQL can't be reached (\(reason)). Check that the primary runs, and the connection URI."
        case .postgres(let reason):
            "PostgreSQL can't be used (\(reason)). Check the connection URI, the server, and the account's permissions to create tables and temporary tables."
        case .schema(let error): error.advice
        case .unfinishedCopy:
            "not all rows were copied to the database. Run the same \"tillroll-server copy\" again, with --restart if the copy has reported "
                + "differences."
        case .replica:
            "the value must be the connection URI of PostgreSQL's replicas (postgresql://…), and \"database\" the URI of their primary."
        case .secretKeyFileMissing:
            "PostgreSQL requires this key. Set the path of a file; all servers with this database need the same file."
        case .metricsToken:
            "The token is too short, or contains other characters than ASCII letters, digits and punctuation. Set at least 16 random characters, such as the output of: openssl rand -hex 16"
        case .logFormat(let text): "\"\(text)\" is not a format of the log. Set text or json."
        case .logLevel(let text):
            "\"\(text)\" is not a log level. Set trace, debug, info, notice, warning, error or critical."
        case .trustedProxy(let text):
            "\"\(text)\" is not an IP address or a range of addresses. Set a list such as 127.0.0.1, 10.0.0.0/8, fd00::/8."
        case .limit:
            "the value is not a valid limit. Set 0.001 to 86400 for a limit in seconds, or an integer from 1 to 1000000000 for any other."
        case .number(_, let range):
            "the value is not a number in its range. Set an integer from \(range.lowerBound) to \(range.upperBound)."
        case .port:
            "the value is not a valid port. Set a number from 0 to 65535."
        case .unknownKey(_, let nearest):
            "this is not a key of the configuration. The most similar key is \(nearest). Correct the key, or remove it."
        case .doubledKey:
            "the key occurs twice in the configuration file. Remove one occurrence."
        case .wrongType:
            "the value has the wrong type. Write a text in quotes."
        case .fileMalformed(let path):
            "\(path) is not a JSON object. Use the format {\"bundle-id\": \"…\", …}."
        case .productMember(let name, let place, let nearest):
            "\(place) has the unknown member \"\(name)\". The most similar member is \(nearest). Correct the member, or remove it."
        case .listening("host", let address, let reason):
            "\(address) is not available for listening: \(reason). Set 127.0.0.1 for this machine only, or 0.0.0.0 for all addresses."
        case .listening(_, let address, let reason):
            "\(address) is not available for listening: \(reason). Set another port, or 0 for any free port."
        }
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// The error as one line: ``key`` and ``advice``.
    public var description: String { "\(key): \(advice)" }
}
