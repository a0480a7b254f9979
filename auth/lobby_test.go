package auth_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/models"
)

// opening is the upgrade of a browser at an address: it has no Authorization header.
func opening(t *testing.T, address string) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/graphql", http.NoBody)
	r.RemoteAddr = address
	r.Header.Set("Upgrade", "websocket")
	return r
}

func TestOnlyAWebsocketMayBringItsKeyLater(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var opened atomic.Int32
	socket := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if _, known := auth.FromContext(r.Context()); !known {
			opened.Add(1)
		}
	})
	door := b.guard.KeyLater(&auth.Sessions{}, socket)(b.api)
	door.ServeHTTP(httptest.NewRecorder(), opening(t, "192.0.2.1:1"))
	require.EqualValues(t, 1, opened.Load())
	for name, change := range map[string]func(*http.Request){
		"no upgrade":        func(r *http.Request) { r.Header.Del("Upgrade") },
		"another upgrade":   func(r *http.Request) { r.Header.Set("Upgrade", "h2c") },
		"with a bad header": func(r *http.Request) { r.Header.Set("Authorization", "Bearer rc_live_wrong") },
		"with an empty one": func(r *http.Request) { r.Header["Authorization"] = []string{""} },
		"with a session":    func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "rollcall_session", Value: auth.NewToken()}) },
	} {
		r, w := opening(t, "192.0.2.1:1"), httptest.NewRecorder()
		change(r)
		door.ServeHTTP(w, r)
		require.Equal(t, http.StatusUnauthorized, w.Code, name)
	}
	require.EqualValues(t, 1, opened.Load())
}

func TestFewWebsocketsWaitForTheirKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	inside, leave := make(chan context.Context), make(chan struct{})
	door := b.guard.KeyLater(&auth.Sessions{}, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		inside <- r.Context()
		<-leave
	}))(b.api)
	defer close(leave)
	enter := func(address string) context.Context {
		go door.ServeHTTP(httptest.NewRecorder(), opening(t, address))
		return <-inside
	}
	refused := func(address string) {
		w := httptest.NewRecorder()
		door.ServeHTTP(w, opening(t, address))
		require.Equal(t, http.StatusTooManyRequests, w.Code)
		require.Equal(t, "10", w.Header().Get("Retry-After"))
		require.Equal(t, string(models.CodeRateLimited), answer(t, w.Result()).Error)
	}
	one := enter("192.0.2.1:1")
	for range 63 {
		enter("192.0.2.1:1")
	}
	refused("192.0.2.1:2")
	enter("192.0.2.2:1")

	t.Log("a socket whose key was accepted waits no longer")
	_, err := b.guard.Authorize(one, "Bearer rc_live_wrong")
	require.Error(t, err)
	refused("192.0.2.1:2")
	for range 2 {
		_, err = b.guard.Authorize(one, b.bearer())
		require.NoError(t, err)
	}
	enter("192.0.2.1:2")
	refused("192.0.2.1:2")
}
