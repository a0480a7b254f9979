package transport

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rollcall/auth"
	"rollcall/graph/socket"
	"rollcall/models"
)

// socketKey marks the context of a websocket with the authorization by which its operations are
// admitted: that of the upgrade, or of connection_init.
type socketKey struct{}

// socket upgrades a request and serves operations on it until the client leaves. A request without a
// caller needs a key in connection_init, and nothing is answered before it is checked.
func (h *handler) socket(w http.ResponseWriter, r *http.Request) {
	if status, err := h.mayUpgrade(r); err != nil {
		if status == http.StatusUpgradeRequired {
			w.Header().Set("Upgrade", "websocket")
		}
		write(w, status, jsonMedia, gqlerror.List{err})
		return
	}
	auth.LeaveLine(r.Context()) // its operations enter one by one
	ctx := context.WithValue(r.Context(), socketKey{}, r.Header.Get("Authorization"))
	socket.Serve(w, r.WithContext(ctx), socket.Options{
		Operations: h, MessageMost: h.limits.Body, InitWithin: h.options.InitWithin, Closing: h.options.Closing,
		Ended: func(err error) {
			h.options.Log.DebugContext(ctx, "websocket ended", slog.String("request_id", h.options.RequestID(ctx)), slog.String("error", err.Error()))
		},
	})
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
	case !slices.Contains(offered, socket.Protocol):
		return http.StatusBadRequest, refused(upper(models.CodeInvalidRequest), "the websocket's subprotocol must be "+socket.Protocol)
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

// Init implements socket.Operations. A key in connection_init replaces that of the upgrade.
func (h *handler) Init(ctx context.Context, payload json.RawMessage) (context.Context, error) {
	key, err := authorization(payload)
	if err != nil {
		return ctx, err
	}
	as, err := h.socketCaller(ctx, key)
	if err != nil {
		return ctx, err
	}
	leave, err := h.options.Streams.Enter(as, websockets)
	if err != nil {
		return ctx, h.closing(ctx, err)
	}
	context.AfterFunc(ctx, leave)
	return as, nil
}

// socketCaller returns the context of a socket whose first message holds a key, or none if it is empty.
func (h *handler) socketCaller(ctx context.Context, key string) (context.Context, error) {
	if h.options.Authorize == nil {
		return ctx, nil
	}
	_, known := auth.FromContext(ctx)
	switch {
	case key == "" && known:
		return ctx, nil
	case key == "":
		return ctx, &socket.CloseError{Code: socket.Unauthorized, Reason: `Unauthorized: send {"Authorization": "Bearer rc_live_..."} as payload of connection_init`}
	}
	as, err := h.options.Authorize(ctx, key)
	if err != nil {
		return ctx, h.closing(ctx, err)
	}
	return context.WithValue(as, socketKey{}, key), nil
}

// authorization returns the member Authorization of connection_init's payload, whose name may have any
// letter case; empty when there is none.
func authorization(payload json.RawMessage) (string, error) {
	bad := &socket.CloseError{Code: socket.BadMessage, Reason: "the payload of connection_init must be a JSON object, and its Authorization text"}
	if payload == nil {
		return "", nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(payload, &members) != nil {
		return "", bad
	}
	for name, value := range members {
		if !strings.EqualFold(name, "Authorization") {
			continue
		}
		var key string
		if json.Unmarshal(value, &key) != nil {
			return "", bad
		}
		return key, nil
	}
	return "", nil
}

// closing returns the close of a socket whose caller may not go on. A client that connects again is
// refused again after Forbidden only.
func (h *handler) closing(ctx context.Context, err error) *socket.CloseError {
	shown := h.exec.errors.present(ctx, err)
	end := &socket.CloseError{Code: socket.TryAgain, Reason: shown.Message}
	var reason *models.Error
	if errors.As(err, &reason) && final(reason) {
		end.Code = socket.Forbidden
	}
	if reason == ErrStopping {
		end.Code = socket.GoingAway
	}
	return end
}

// Admit implements socket.Operations. Each operation is admitted anew: the key may have been revoked since, or the limit
// reached.
func (h *handler) Admit(ctx context.Context) (failed []byte, err error) {
	if h.options.Admit == nil {
		return nil, nil
	}
	key, _ := ctx.Value(socketKey{}).(string)
	if err := h.options.Admit(ctx, key); err != nil {
		if end := h.closing(ctx, err); end.Code == socket.Forbidden {
			return nil, end
		}
		return list(h.exec.errors.present(ctx, err)), nil
	}
	return nil, nil
}

// Run implements socket.Operations. An operation waits in the line of its account, as a request does.
func (h *handler) Run(ctx context.Context, payload json.RawMessage, send func(answer []byte)) (failed []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			failed, err = list(h.exec.errors.present(ctx, h.exec.errors.recovered(ctx, v))), nil
		}
	}()
	ctx, leave, err := h.options.Enter(ctx)
	if err != nil {
		return list(h.exec.errors.present(ctx, err)), nil
	}
	defer leave()
	params, bad := readBody(payload)
	if bad == nil && params.Query == "" && params.Extensions["persistedQuery"] == nil {
		bad = invalid("query is missing")
	}
	if bad != nil {
		return nil, &socket.CloseError{Code: socket.BadMessage, Reason: "the payload of subscribe: " + bad.err.Message}
	}
	ctx, ended := withEnding(graphql.StartOperationTrace(ctx))
	op, errs := h.exec.create(ctx, params, byMethod(http.MethodPost, ""))
	if len(errs) > 0 {
		return list(errs...), nil
	}
	if op.Operation.Operation == ast.Subscription {
		leave, err := h.options.Streams.Enter(ctx, subscriptions)
		if err != nil {
			return list(h.exec.errors.present(ctx, err)), nil
		}
		defer leave()
	}
	next, ctx := h.exec.DispatchOperation(ctx, op)
	for resp := next(ctx); resp != nil; resp = next(ctx) {
		send(encode(resp.Data, resp.Errors))
	}
	if reason := ended.why(ctx); reason != nil {
		return nil, h.closing(ctx, reason)
	}
	return nil, nil
}

// list returns errors as a JSON list, the payload of the protocol's error.
func list(errs ...*gqlerror.Error) []byte {
	b, err := json.Marshal(errs)
	if err != nil { // extensions hold strings and numbers only
		return []byte(`[{"message":"internal error","extensions":{"code":"INTERNAL"}}]`)
	}
	return b
}
