package auth

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"sync"

	"rollcall/models"
)

const (
	lobbyMost      = 1024 // websockets that wait for their key, over all clients
	lobbyOfNetwork = 64   // of one client network
)

var errLobby = &models.Error{Code: models.CodeRateLimited, Message: "too many websockets are waiting for their key; try again in 10 s"}

// Lobby counts the websockets that were opened without a key and have not sent one yet. Each holds a connection of a
// client that nobody knows, so there are few. It is safe for concurrent use; the zero value is empty.
type Lobby struct {
	mu    sync.Mutex
	all   int
	count map[netip.Addr]int
}

// enter takes a place for a client and returns a function that frees it, however often it is called; nil when there is
// no place.
func (l *Lobby) enter(client netip.Addr) (leave func()) {
	from := network(client)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all >= lobbyMost || l.count[from] >= lobbyOfNetwork {
		return nil
	}
	if l.count == nil {
		l.count = map[netip.Addr]int{}
	}
	l.all++
	l.count[from]++
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.all--
		if l.count[from]--; l.count[from] == 0 {
			delete(l.count, from)
		}
	})
}

type lobbyKey struct{}

// leaveLobby frees the place of a websocket whose key is known now.
func leaveLobby(ctx context.Context) {
	if leave, ok := ctx.Value(lobbyKey{}).(func()); ok {
		leave()
	}
}

// KeyLater passes the upgrade to a websocket without a key and without a session to socket, which must answer nothing
// before Authorize has accepted the key of the first message: browsers cannot set a header on a websocket. Such
// upgrades are slowed like all requests without a valid key. All other requests go to next.
func (g *Guard) KeyLater(s *Sessions, socket http.Handler) func(next http.Handler) http.Handler {
	lobby := &Lobby{}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") || len(r.Header["Authorization"]) > 0 || s.Signed(r) {
				next.ServeHTTP(w, r)
				return
			}
			g.Slow(w, r)
			leave := lobby.enter(g.Proxies.Client(r))
			if leave == nil {
				w.Header().Set("Retry-After", "10")
				g.Reject(w, r, errLobby)
				return
			}
			defer leave()
			socket.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), lobbyKey{}, leave)))
		})
	}
}
