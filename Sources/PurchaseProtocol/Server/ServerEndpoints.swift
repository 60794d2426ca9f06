/// The protocol between an app, or a backend, and the developer's own server.
package enum ServerEndpoints {}
