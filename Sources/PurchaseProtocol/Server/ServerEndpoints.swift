/// The protocol between the developer's server and its clients: an app or a backend.
package enum ServerEndpoints {}
