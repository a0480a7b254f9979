package notifier

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestReceiver(t *testing.T) {
	t.Parallel()
	keys := Keyring{Current: NewSecret()}
	body, err := happened(models.EventBondChange).Body(PayloadV2)
	require.NoError(t, err)
	signed := func(body []byte) *http.Request {
		r := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
		keys.Sign(r.Header, "evt_1", moment, body)
		return r
	}
	for name, c := range map[string]struct {
		request *http.Request
		change  func(*http.Request)
		later   time.Duration
		status  int
		why     string // told to Refuse
	}{
		"a genuine delivery":     {request: signed(body), status: 200},
		"another method":         {request: signed(body), change: func(r *http.Request) { r.Method = http.MethodGet }, status: 405},
		"no signature":           {request: httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body)), status: 401, why: HeaderSignature + ": " + ErrUnsigned.Error()},
		"only the first scheme":  {request: signed(body), change: func(r *http.Request) { r.Header.Del(HeaderStandardSignature) }, status: 401, why: HeaderStandardSignature + ": " + ErrUnsigned.Error()},
		"only the second scheme": {request: signed(body), change: func(r *http.Request) { r.Header.Del(HeaderSignature) }, status: 401, why: HeaderSignature + ": " + ErrUnsigned.Error()},
		"another id":             {request: signed(body), change: func(r *http.Request) { r.Header.Set(HeaderStandardID, "evt_2") }, status: 401, why: HeaderStandardSignature + ": " + ErrSignature.Error()},
		"a replay":               {request: signed(body), later: time.Hour, status: 401, why: HeaderStandardSignature + ": " + ErrTimestamp.Error()},
		"a body of no event":     {request: signed([]byte("{}")), status: 400, why: errBody.Error()},
		"a body that is no JSON": {request: signed([]byte("event")), status: 400, why: errBody.Error()},
		"a body of 2 MB":         {request: signed([]byte(strings.Repeat(" ", 2<<20))), status: 413, why: "http: request body too large"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []Received
			var why []string
			v := &Receiver{
				Secret: keys.Current, Now: func() time.Time { return moment.Add(c.later) },
				Accept: func(r Received) { got = append(got, r) },
				Refuse: func(err error) { why = append(why, err.Error()) },
			}
			if c.change != nil {
				c.change(c.request)
			}
			w := httptest.NewRecorder()
			v.ServeHTTP(w, c.request)
			require.Equal(t, c.status, w.Code)
			require.Empty(t, w.Body.String(), "nothing is told to whoever posts")
			if c.why != "" {
				require.Equal(t, []string{c.why}, why)
			}
			if c.status != 200 {
				require.Empty(t, got)
				return
			}
			require.Equal(t, []Received{{
				ID: "evt_1", At: moment, Event: models.EventBondChange, AlertID: "alt_4kJ9", RecordID: "ben-hill-2026-000123", Body: body,
			}}, got)
		})
	}
}

func TestReceiverRemembersTheLatestIDs(t *testing.T) {
	t.Parallel()
	var v Receiver
	for i := range rememberedIDs + 1 {
		require.False(t, v.repeated(strconv.Itoa(i)))
	}
	require.True(t, v.repeated(strconv.Itoa(rememberedIDs)))
	require.True(t, v.repeated("1"))
	require.False(t, v.repeated("0"), "the oldest was forgotten")
	require.Len(t, v.seen, rememberedIDs)
	require.Len(t, v.order, rememberedIDs)
}
