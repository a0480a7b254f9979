package client

import (
	"net/http"
	"strings"
	"time"
)

// Client makes requests to one service with one API key. Its fields may be changed before the first request. It is safe for
// concurrent use after that.
type Client struct {
	// HTTP makes the requests. Its Timeout bounds one try, streams excepted. It must not follow redirects to other hosts,
	// because the key would follow too; that of New follows none.
	HTTP *http.Client
	// UserAgent names your program in the logs of the service.
	UserAgent string
	// Tries is how often a request is made at most. 1 turns repetitions off.
	Tries int
	// Patience is the longest Retry-After that is waited for. A longer one is returned as an error at once.
	Patience time.Duration

	// base is the address of /v1 without a slash at its end.
	base string
	key  string
}

// New returns a client of the service at base, which ends in /v1, with an API key (rc_live_...).
func New(base, key string) *Client {
	return &Client{
		HTTP: &http.Client{
			Timeout:       30 * time.Second,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		UserAgent: "rollcall-go/1", Tries: 4, Patience: 70 * time.Second,
		base: strings.TrimSuffix(base, "/"), key: key,
	}
}

// graphQL returns the address of GraphQL, which stands beside /v1.
func (c *Client) graphQL() string { return strings.TrimSuffix(c.base, "/v1") + "/graphql" }
