package rest_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

// findsNobody are members of watchers that find nobody, with what their refusal says.
var findsNobody = map[string]string{
	`"name": "Smith A"`:                                               "or add the year of birth, or add the birth date, or choose level wide",
	`"name": "J Smith"`:                                               "name is not enough at level normal",
	`"name": "J Smith", "county": "fulton"`:                           "write first and last name in full",
	`"name": "J Smith", "level": "strict", "birth_year": 1980`:        "at level strict: write first and last name in full, or add the birth date",
	`"name": "T Nguyen", "level": "strict"`:                           "or choose level wide",
	`"name": "Иван Петров"`:                                           "write it in Latin letters",
	`"name": "محمد علي", "birth_year": 1980`:                          "write it in Latin letters",
	`"name": "김 민수", "county": "fulton"`:                              "write it in Latin letters",
	`"name": "Lisa F"`:                                                "write the last name in full",
	`"name": "F. Lisa", "level": "wide"`:                              "write the last name in full",
	`"name": "Lisa Marie F", "county": "fulton", "dob": "1980-01-02"`: "the last name first with a comma",
	`"name": "Brown"`:                                                 "matches everyone who has it",
	`"name": "Brown", "level": "wide"`:                                "matches everyone who has it",
	`"name": "J\u200b. R.", "level": "wide", "dob": "1980-01-02"`:     "initials",
}

func TestANameThatFindsNobodyIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for members, says := range findsNobody {
		for _, path := range []string{"/alerts", "/alerts/preview"} {
			message := b.send(t, http.MethodPost, path, `{`+members+`}`).message(t, http.StatusBadRequest, models.CodeInvalidRequest)
			require.Contains(t, message, says, members)
		}
	}
	require.Zero(t, b.get(t, "/alerts").total(t))

	t.Log("nor does a change make it one, whatever member it is of")
	for watcher, changes := range map[string][]string{
		`{"name": "J Smith", "level": "wide"}`:                        {`{"level": "normal"}`, `{"level": null}`, `{"level": "strict"}`},
		`{"name": "J Smith", "birth_year": 1980}`:                     {`{"birth_year": null}`, `{"level": "strict"}`},
		`{"name": "J Smith", "level": "strict", "dob": "1980-02-03"}`: {`{"dob": null}`, `{"dob": null, "birth_year": 1980}`},
		`{"name": "Brown", "county": "fulton"}`:                       {`{"county": null}`, `{"name": "Браун"}`},
		`{"name": "Jane Smith"}`:                                      {`{"name": "J Smith"}`, `{"name": "Smith J"}`, `{"name": "Brown"}`},
	} {
		path := "/alerts/" + b.send(t, http.MethodPost, "/alerts", watcher).idOf(t)
		for _, change := range changes {
			require.NotEmpty(t, b.send(t, http.MethodPatch, path, change).message(t, http.StatusBadRequest, models.CodeInvalidRequest), "%s %s", watcher, change)
		}
		require.Equal(t, http.StatusOK, b.send(t, http.MethodPatch, path, `{"note": "ask first"}`).status)
	}
}

func TestAlertsThatFindNobodyAndAreStoredStay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.send(t, http.MethodPost, "/alerts", `{"name": "Jane Smith"}`).idOf(t)
	_, err := b.db.Pool.Exec(t.Context(), `update watchers set name = 'J Smith' where id = $1`, id)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, b.send(t, http.MethodPatch, "/alerts/"+id, `{"name": "J Smith", "level": "normal", "label": "desk", "paused": true}`).status)
	require.Contains(t, b.send(t, http.MethodPatch, "/alerts/"+id, `{"level": "strict"}`).message(t, http.StatusBadRequest, models.CodeInvalidRequest), "at level strict")
	require.Equal(t, http.StatusOK, b.send(t, http.MethodPatch, "/alerts/"+id, `{"level": "wide"}`).status, "the way out")
}

// That such a watcher fires is shown in package notifier, at every level.
func TestASingleWordWorksAtEveryLevel(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.Booking{ID: "ben-hill-2026-000777", Name: "WASHINGTON, DEMETRIUS", County: "ben-hill", DOB: "1990-05-17", At: "2026-03-08T06:30:00Z"})
	for _, level := range []string{"strict", "normal", "wide"} {
		for _, narrowed := range []string{`"county": "ben-hill"`, `"dob": "1990-05-17"`, `"birth_year": 1990`, `"age": 35`} {
			body := `{"name": "Washington", "level": "` + level + `", ` + narrowed + `}`
			require.Equal(t, http.StatusCreated, b.send(t, http.MethodPost, "/alerts", body).status, body)
			var found struct{ Hits []json.RawMessage }
			require.NoError(t, json.Unmarshal([]byte(b.send(t, http.MethodPost, "/alerts/preview", body).body), &found))
			require.Len(t, found.Hits, 1, body)
		}
	}
}
