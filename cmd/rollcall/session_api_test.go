package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/service"
)

// A session is sent by the browser, whoever's page asks: what follows is how /graphql keeps it to the service's own pages.

const addAlert = `mutation { createAlert(input: {name: "Wren Moonsail"}) { id } }`

// alertsOf counts the alerts of the reader's account.
func (r *reader) alertsOf(headers ...string) int {
	r.t.Helper()
	var answer struct {
		Data struct{ Alerts struct{ Total int } }
	}
	require.NoError(r.t, json.Unmarshal([]byte(r.answered(`{ alerts { total } }`, headers...)), &answer))
	return answer.Data.Alerts.Total
}

func TestNoPageOfAnotherSiteUsesASessionOnGraphQL(t *testing.T) {
	t.Parallel()
	const friend = "https://desk.example.org" // may call with a key, by ROLLCALL_CORS_ORIGINS
	root, door := newTerminal(t).Serve("Desk", func(c *service.Config) { c.CORSOrigins = []string{friend} })
	ada := joined(t, root, door)
	for name, foreign := range map[string][]string{
		"a page of another site":                                       {"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"},
		"a page of a neighbour below the same domain":                  {"Sec-Fetch-Site", "same-site", "Origin", "http://localhost:1"},
		"a browser that says no more than where the page is from":      {"Origin", "https://evil.example"},
		"a page in a sandbox":                                          {"Sec-Fetch-Site", "cross-site", "Origin", "null"},
		"a page of an origin that may call the API with a key":         {"Sec-Fetch-Site", "cross-site", "Origin", friend},
		"another port of this machine, in a browser that says no more": {"Origin", "http://localhost:1"},
		"a word that no browser of today says":                         {"Sec-Fetch-Site", "elsewhere"},
	} {
		resp := ada.ask(addAlert, foreign...)
		require.Equal(t, http.StatusForbidden, resp.StatusCode, name)
		require.Contains(t, all(t, resp), `"error":"forbidden"`, name)
		require.Empty(t, resp.Header.Get("Access-Control-Allow-Credentials"), name)
	}
	t.Log("nor does it read, as far as the browser tells")
	for _, site := range []string{"cross-site", "same-site"} {
		question := "/graphql?query=" + url.QueryEscape(`{ alerts { total } }`)
		require.Equal(t, http.StatusForbidden, ada.send(http.MethodGet, question, "", "Sec-Fetch-Site", site).StatusCode, site)
		stream := "/graphql?query=" + url.QueryEscape(`subscription { alertEvents { id } }`)
		require.Equal(t, http.StatusForbidden, ada.send(http.MethodGet, stream, "", "Sec-Fetch-Site", site, "Accept", "text/event-stream").StatusCode, site)
	}
	require.Zero(t, ada.alertsOf(), "nothing was made")

	t.Log("its own page does all that")
	for _, own := range [][]string{{"Sec-Fetch-Site", "same-origin", "Origin", root}, {"Origin", root}, {"Sec-Fetch-Site", "none"}} {
		require.Contains(t, ada.answered(addAlert, own...), `"id":"alrt_`)
	}
	require.Equal(t, 3, ada.alertsOf())
}

func TestASessionOnGraphQLNeedsWhatNoFormCanSend(t *testing.T) {
	t.Parallel()
	root, door := newTerminal(t).Serve("Desk")
	ada := joined(t, root, door)
	body := fmt.Sprintf(`{"query": %q}`, addAlert)
	for _, form := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "text/plain; application/json"} {
		resp := ada.send(http.MethodPost, "/graphql", body, "Content-Type", form, "Origin", root)
		require.Equal(t, http.StatusUnsupportedMediaType, resp.StatusCode, "%q", form)
	}

	t.Log("an address changes nothing, however it is asked for")
	address := "/graphql?query=" + url.QueryEscape(addAlert)
	for _, headers := range [][]string{{}, {"Sec-Fetch-Site", "same-origin"}, {"Accept", "application/graphql-response+json"}, {"Accept", "application/json"}} {
		resp := ada.send(http.MethodGet, address, "", headers...)
		require.Equal(t, http.StatusMethodNotAllowed, resp.StatusCode, "%v", headers)
		require.Equal(t, http.MethodPost, resp.Header.Get("Allow"))
	}
	stream := ada.send(http.MethodGet, address, "", "Accept", "text/event-stream")
	require.NotContains(t, all(t, stream), "alrt_", "nor as a stream")
	require.Equal(t, http.StatusMethodNotAllowed, ada.send(http.MethodHead, address, "").StatusCode)
	for _, method := range []string{http.MethodPut, http.MethodPatch, http.MethodDelete} {
		require.Equal(t, http.StatusMethodNotAllowed, ada.send(method, "/graphql", body, "Content-Type", "application/json", "Origin", root).StatusCode, method)
	}
	for _, method := range []string{http.MethodPut, http.MethodTrace, "PROPFIND"} {
		resp := ada.send(method, "/graphql", "", "Origin", root)
		require.Equal(t, http.StatusMethodNotAllowed, resp.StatusCode, method)
		require.Equal(t, "GET, HEAD, POST", resp.Header.Get("Allow"), method)
	}
	require.Zero(t, ada.alertsOf())
}

func TestAPageOfTheReaderBeforeDoesNothingForTheNextOne(t *testing.T) {
	t.Parallel()
	root, door := newTerminal(t).Serve("Desk")
	ada := joined(t, root, door)
	for _, question := range []string{addAlert, `{ alerts { total } }`} {
		resp := ada.ask(question, "Rollcall-Reader", "user_of_another_account")
		require.Equal(t, http.StatusConflict, resp.StatusCode)
		require.Contains(t, all(t, resp), "someone else signed in to this browser")
	}
	require.Zero(t, ada.alertsOf())
}

func TestOnlyAPageHasTheLimitOfPages(t *testing.T) {
	t.Parallel()
	root, door := newTerminal(t).Serve("Desk")
	ada := joined(t, root, door)
	page := pageToken.FindStringSubmatch(all(t, ada.send(http.MethodGet, "/settings/keys", "")))
	require.Len(t, page, 2)
	require.NotContains(t, all(t, stranger(t, root).send(http.MethodGet, "/graphql", "", "Accept", "text/html")), `name="page"`)

	limit := func(headers ...string) string {
		return ada.ask(`{ counties { slug } }`, headers...).Header.Get("RateLimit-Limit")
	}
	require.Equal(t, "100", limit())
	require.Equal(t, "600", limit("Sec-Fetch-Site", "same-origin", "Rollcall-Page", page[1]))
	require.Equal(t, "600", limit(ada.asPage()...), "the playground has it too")
	require.Contains(t, ada.answered(`{ usage { lastDay { requests } } }`), `"requests":4}`, "all of them are in the usage")
}

// asPage returns the headers that scripts of a page send with each query.
func (r *reader) asPage() []string {
	r.t.Helper()
	page := pageToken.FindStringSubmatch(all(r.t, r.send(http.MethodGet, "/graphql", "", "Accept", "text/html")))
	require.Len(r.t, page, 2)
	return []string{"Sec-Fetch-Site", "same-origin", "Rollcall-Page", page[1]}
}

var pageToken = regexp.MustCompile(`<meta name="page" content="([0-9a-f]{128})">`)

func TestAWebsocketDoesNotOpenWithASession(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	root, door := x.Serve("Desk")
	ada := joined(t, root, door)
	handshake := []string{
		"Connection", "Upgrade", "Upgrade", "websocket", "Sec-WebSocket-Version", "13", "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==",
		"Sec-WebSocket-Protocol", "graphql-transport-ws", "Origin", root,
	}
	resp := ada.send(http.MethodGet, "/graphql", "", handshake...)
	require.Equal(t, http.StatusForbidden, resp.StatusCode)
	require.Contains(t, all(t, resp), "websockets need an API key")

	t.Log("with a key it does, from the same page")
	key, ok := x.Fields("key", "create", "--account", x.FirstAccount(), "--label", "tests", "--json")["key"].(string)
	require.True(t, ok)
	require.Equal(t, http.StatusSwitchingProtocols, ada.send(http.MethodGet, "/graphql", "", append(handshake, "Authorization", "Bearer "+key)...).StatusCode)
}

func TestAnAuthorizationHeaderIsNeverHelpedOutByASession(t *testing.T) {
	t.Parallel()
	root, door := newTerminal(t).Serve("Desk")
	ada := joined(t, root, door)
	for _, authorization := range []string{"Bearer rc_live_wrong", "Basic YTpi", ""} {
		resp := ada.ask(`{ counties { slug } }`, "Authorization", authorization)
		require.Equal(t, http.StatusUnauthorized, resp.StatusCode, "%q", authorization)
	}
	t.Log("and a session opens nothing of /v1")
	require.Equal(t, http.StatusUnauthorized, ada.send(http.MethodGet, "/v1/roster", "").StatusCode)
	t.Log("nor does a cookie that is no session open /graphql")
	require.Equal(t, http.StatusSeeOther, ada.submit("/sign-out").StatusCode)
	thief := stranger(t, root)
	require.Equal(t, http.StatusUnauthorized, thief.ask(`{ counties { slug } }`, "Cookie", "rollcall_session=ABCDEFGHIJKLMNOPQRSTUVWXYZ").StatusCode)
}

func TestAMemberAsksGraphQLForNoMoreThanAMemberMay(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	root, door := x.Serve("Desk")
	owner := joined(t, root, door)
	member := joined(t, root, x.Invited(x.FirstAccount(), "bob@example.org", "--role", "member"))

	t.Log("members, roles, keys, secrets and sources are no business of GraphQL's: who adds a mutation has to decide whose it is")
	var answer struct {
		Data struct {
			Schema struct {
				MutationType struct{ Fields []struct{ Name string } }
			} `json:"__schema"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(member.answered(`{ __schema { mutationType { fields { name } } } }`)), &answer))
	var names []string
	for _, f := range answer.Data.Schema.MutationType.Fields {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	require.Equal(t, forAnyMember, names)

	t.Log("the pages that an owner has, a member's session does not open")
	for _, path := range []string{"/settings/members", "/settings/members/links/x/take-back"} {
		require.Equal(t, http.StatusForbidden, member.submit(path, "email", "eve@example.org", "role", "owner").StatusCode, path)
	}
	require.Equal(t, http.StatusNotFound, member.send(http.MethodGet, "/operator/sources", "").StatusCode)
	require.Equal(t, http.StatusOK, owner.submit("/settings/members", "email", "eve@example.org", "role", "member").StatusCode)

	t.Log("what another account has is not there, for an owner neither")
	var made struct {
		Data struct{ CreateAlert struct{ ID string } }
	}
	require.NoError(t, json.Unmarshal([]byte(member.answered(addAlert)), &made))
	id := made.Data.CreateAlert.ID
	other, ok := x.Fields("account", "create", "--name", "Other", "--email", "other@example.org", "--plan", "enterprise", "--json")["id"].(string)
	require.True(t, ok)
	mallory := joined(t, root, x.Invited(other, "mallory@example.org", "--role", "owner"))
	for _, document := range []string{
		`mutation { deleteAlert(id: "` + id + `") }`,
		`mutation { updateAlert(id: "` + id + `", input: {label: "mine"}) { id } }`,
	} {
		require.Contains(t, mallory.answered(document), `"code":"NOT_FOUND"`, document)
	}
	require.Zero(t, mallory.alertsOf())
	require.Equal(t, 1, owner.alertsOf(), "the account's own members share it")

	t.Log("a plan without the API has none of it, whatever the role")
	x.OK("account", "set", other, "--plan", "pro")
	require.Equal(t, http.StatusForbidden, mallory.ask(addAlert).StatusCode)
}

// forAnyMember are the mutations. Each works within the caller's account and asks for no role.
var forAnyMember = strings.Fields(`askEmailEndpoint assignHit changeAlerts createAlert createAtomSubscription createCalendarFeed createEmailEndpoint createWebhook
 deleteAlert deleteAlerts deleteEmailEndpoint deleteWebhook enableWebhook giveFeedback importAlerts markHit redeliver replayDeliveries
 revokeAtomSubscription revokeCalendarFeed testEmailEndpoint testWebhook updateAlert updateEmailEndpoint updateWebhook`)

func TestPagesHaveALimitOfTheirOwn(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	root, door := x.Serve("Desk")
	account := x.FirstAccount()
	x.OK("account", "set", account, "--rate-limit", "3")
	ada := joined(t, root, door)
	bob := joined(t, root, x.Invited(account, "bob@example.org", "--role", "member"))
	first := ada.ask(`{ __typename }`, ada.asPage()...)
	require.Equal(t, []string{"600", "599"}, []string{first.Header.Get("RateLimit-Limit"), first.Header.Get("RateLimit-Remaining")})
	page := ada.asPage()
	for range 599 {
		require.Equal(t, http.StatusOK, ada.ask(`{ __typename }`, page...).StatusCode)
	}
	refused := ada.ask(addAlert, page...)
	require.Equal(t, http.StatusTooManyRequests, refused.StatusCode)
	require.NotEmpty(t, refused.Header.Get("Retry-After"))
	require.Contains(t, all(t, refused), "more than 600 requests")
	require.Equal(t, http.StatusTooManyRequests, ada.send(http.MethodGet, "/settings/keys", "").StatusCode, "pages count together with what they ask")
	again := signed(t, root, "ada@example.org")
	require.Equal(t, http.StatusTooManyRequests, again.ask(addAlert, again.asPage()...).StatusCode, "in every browser of the user")

	t.Log("neither colleagues nor programs pay for it")
	require.Zero(t, bob.alertsOf(bob.asPage()...))
	key, ok := x.Fields("key", "create", "--account", account, "--label", "tests", "--json")["key"].(string)
	require.True(t, ok)
	used := bob.ask(`{ __typename }`, "Authorization", "Bearer "+key)
	require.Equal(t, []string{"3", "2"}, []string{used.Header.Get("RateLimit-Limit"), used.Header.Get("RateLimit-Remaining")})
}

func TestNoPageOfTheWholeServiceIsFramed(t *testing.T) {
	t.Parallel()
	root, door := newTerminal(t).Serve("Desk")
	ada := joined(t, root, door)
	for _, path := range []string{"/graphql", "/docs", "/docs/v1/roster", "/docs/webhooks", "/docs/graphql", "/docs/clients", "/docs/samples", "/sign-in?again=1", "/search", "/settings/keys", "/operator/sources", "/no/such/page", "/v1/nothing", "/static/nothing"} {
		resp := ada.send(http.MethodGet, path, "", "Accept", "text/html")
		if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
			require.Equal(t, "nosniff", resp.Header.Get("X-Content-Type-Options"), path)
			continue
		}
		require.Equal(t, "DENY", resp.Header.Get("X-Frame-Options"), path)
		require.Contains(t, resp.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'", path)
		require.NotContains(t, resp.Header.Get("Content-Security-Policy"), "unsafe", path)
	}
}
