package graph

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rollcall/models"
)

const (
	// initWithin is the time from the upgrade to connection_init. A socket without it is closed.
	initWithin = 10 * time.Second
	// socketPings keeps proxies from closing a socket that waits for events.
	socketPings = 25 * time.Second
)

// socketProtocol is the subprotocol of the npm package graphql-ws, the only one that is spoken.
const socketProtocol = "graphql-transport-ws"

// closeForbidden is the protocol's close code for a connection_init that is not accepted.
const closeForbidden = 4403

// socket upgrades a request and serves operations on it until the client leaves. Each operation is
// admitted anew with the authorization of the upgrade or of connection_init.
func (h *handler) socket(w http.ResponseWriter, r *http.Request) {
	if status, err := h.mayUpgrade(r); err != nil {
		if status == http.StatusUpgradeRequired {
			w.Header().Set("Upgrade", "websocket")
		}
		write(w, status, jsonMedia, gqlerror.List{err})
		return
	}
	limit := h.limits.Body
	transport.Websocket{
		// The origin is checked above, in words that a caller can read.
		Implementation:   transport.CoderWebsocketImplementation{AcceptOptions: websocket.AcceptOptions{InsecureSkipVerify: true}},
		InitFunc:         h.socketInit,
		InitTimeout:      initWithin,
		PingPongInterval: socketPings,
		PayloadReadLimit: &limit,
		ErrorFunc: func(ctx context.Context, err error) {
			h.options.Log.DebugContext(ctx, "websocket ended", slog.String("request_id", h.options.RequestID(ctx)), slog.String("error", err.Error()))
		},
	}.Do(w, r.WithContext(context.WithValue(r.Context(), socketKey{}, r.Header.Get("Authorization"))), h.exec)
}

// mayUpgrade returns why a request cannot become a websocket, with the HTTP status for that; no
// error if it can.
func (h *handler) mayUpgrade(r *http.Request) (int, *gqlerror.Error) {
	var offered []string
	for _, v := range r.Header.Values("Sec-WebSocket-Protocol") {
		for p := range strings.SplitSeq(v, ",") {
			offered = append(offered, strings.TrimSpace(p))
		}
	}
	switch {
	case !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") || r.Method != http.MethodGet:
		return http.StatusUpgradeRequired, refused(upper(models.CodeInvalidRequest), "the only upgrade is that of a GET to a websocket")
	case !slices.Contains(offered, socketProtocol):
		return http.StatusBadRequest, refused(upper(models.CodeInvalidRequest), "the websocket's subprotocol must be "+socketProtocol)
	case !h.mayConnect(r):
		return http.StatusForbidden, refused(upper(models.CodeForbidden), "pages of this origin may not open a websocket here")
	}
	return 0, nil
}

// mayConnect reports whether a page of the request's origin may open a websocket. Browsers let
// every page try, with the user's cookies: without this check a foreign page could read what a
// signed-in user may read.
func (h *handler) mayConnect(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || h.origins[origin] {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && strings.EqualFold(u.Host, r.Host)
}

// socketInit takes the key of connection_init, if it holds one. A key that is refused closes the
// socket with code 4403 and the reason, before any operation is read (DECISIONS, "Keys, plans,
// limits, errors").
func (h *handler) socketInit(ctx context.Context, p transport.InitPayload) (context.Context, *transport.InitPayload, error) {
	if key := p.Authorization(); key != "" && h.options.Authorize != nil {
		as, err := h.options.Authorize(ctx, key)
		if err != nil {
			ctx = transport.WithWebsocketCloseCode(transport.AppendCloseReason(ctx, "Forbidden"), closeForbidden)
			return ctx, nil, errors.New(h.exec.errors.present(ctx, err).Message)
		}
		return context.WithValue(as, socketKey{}, key), nil, nil
	}
	return ctx, nil, nil
}
