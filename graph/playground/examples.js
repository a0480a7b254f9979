// The tabs of a first visit. Names are invented.
window.examples = [
  `# Paste your API key into Headers below.
# It stays in this page only.

# Bookings, newest first.
query Newest {
  roster(limit: 10) {
    total
    records {
      id
      name
      county { name }
      bookingDate
      status
      charges
      bondAmount
    }
    pageInfo { endCursor hasNextPage }
  }
}
`,
  `# A name, in any word order, with the same person's state record and other bookings.
query Linked {
  roster(filter: { name: "smith" }, limit: 20) {
    total
    records {
      id
      name
      gdcMatch {
        confidence
        reasons
        record {
          gdcId
          status
          institution
          countyRecords { rosterId county { name } bookingDate status }
        }
      }
    }
  }
}
`,
  `# Court cases of a county, with hearings and dispositions.
query Cases {
  courts(filter: { county: "fulton", status: PENDING }, limit: 10) {
    total
    records {
      caseNumber
      defendant
      offense
      courtType
      nextHearing
      hearings { date time judge location }
      dispositions { date outcome sentence }
    }
  }
}
`,
  `# Records of the state corrections department.
query Offenders {
  corrections(filter: { status: INCARCERATED }, limit: 10) {
    total
    records { gdcId name category institution sentence releaseDate releaseDateProjected }
  }
}
`,
  `# How fresh the data is, and what is left of the request limit.
query Freshness {
  sources { id county { name } kind state lastSuccess lagSeconds note }
  usage { limit remaining resetSeconds }
}
`,
];
