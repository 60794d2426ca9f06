/// The API of the developer's server, for the app and for backends.
package enum ServerEndpoints {}
