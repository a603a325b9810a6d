/** The registered status codes (RFC 9110 and the IANA registry) by name. */
export const STATUS_CODE = {
  Continue: 100,
  SwitchingProtocols: 101,
  Processing: 102,
  EarlyHints: 103,
  OK: 200,
  Created: 201,
  Accepted: 202,
  NonAuthoritativeInfo: 203,
  NoContent: 204,
  ResetContent: 205,
  PartialContent: 206,
  MultiStatus: 207,
  AlreadyReported: 208,
  IMUsed: 226,
  MultipleChoices: 300,
  MovedPermanently: 301,
  Found: 302,
  SeeOther: 303,
  NotModified: 304,
  UseProxy: 305,
  TemporaryRedirect: 307,
  PermanentRedirect: 308,
  BadRequest: 400,
  Unauthorized: 401,
  PaymentRequired: 402,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  ProxyAuthRequired: 407,
  RequestTimeout: 408,
  Conflict: 409,
  Gone: 410,
  LengthRequired: 411,
  PreconditionFailed: 412,
  ContentTooLarge: 413,
  URITooLong: 414,
  UnsupportedMediaType: 415,
  RangeNotSatisfiable: 416,
  ExpectationFailed: 417,
  Teapot: 418,
  MisdirectedRequest: 421,
  UnprocessableEntity: 422,
  Locked: 423,
  FailedDependency: 424,
  TooEarly: 425,
  UpgradeRequired: 426,
  PreconditionRequired: 428,
  TooManyRequests: 429,
  RequestHeaderFieldsTooLarge: 431,
  UnavailableForLegalReasons: 451,
  InternalServerError: 500,
  NotImplemented: 501,
  BadGateway: 502,
  ServiceUnavailable: 503,
  GatewayTimeout: 504,
  HTTPVersionNotSupported: 505,
  VariantAlsoNegotiates: 506,
  InsufficientStorage: 507,
  LoopDetected: 508,
  NotExtended: 510,
  NetworkAuthenticationRequired: 511,
} as const;

/** The usual words for each status code. */
export const STATUS_TEXT = {
  100: "Continue",
  101: "Switching Protocols",
  102: "Processing",
  103: "Early Hints",
  200: "OK",
  201: "Created",
  202: "Accepted",
  203: "Non-Authoritative Information",
  204: "No Content",
  205: "Reset Content",
  206: "Partial Content",
  207: "Multi-Status",
  208: "Already Reported",
  226: "IM Used",
  300: "Multiple Choices",
  301: "Moved Permanently",
  302: "Found",
  303: "See Other",
  304: "Not Modified",
  305: "Use Proxy",
  307: "Temporary Redirect",
  308: "Permanent Redirect",
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  407: "Proxy Authentication Required",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  411: "Length Required",
  412: "Precondition Failed",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  417: "Expectation Failed",
  418: "I'm a teapot",
  421: "Misdirected Request",
  422: "Unprocessable Entity",
  423: "Locked",
  424: "Failed Dependency",
  425: "Too Early",
  426: "Upgrade Required",
  428: "Precondition Required",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  451: "Unavailable For Legal Reasons",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  505: "HTTP Version Not Supported",
  506: "Variant Also Negotiates",
  507: "Insufficient Storage",
  508: "Loop Detected",
  510: "Not Extended",
  511: "Network Authentication Required",
} as const;

export type StatusCode = typeof STATUS_CODE[keyof typeof STATUS_CODE];
export type StatusText = typeof STATUS_TEXT[keyof typeof STATUS_TEXT];

export type InformationalStatus = StatusCode & (100 | 101 | 102 | 103);
export type SuccessfulStatus =
  & StatusCode
  & (200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226);
export type RedirectStatus = StatusCode & (300 | 301 | 302 | 303 | 304 | 305 | 307 | 308);
export type ServerErrorStatus =
  & StatusCode
  & (500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 510 | 511);
export type ClientErrorStatus = Exclude<
  StatusCode,
  InformationalStatus | SuccessfulStatus | RedirectStatus | ServerErrorStatus
>;
export type ErrorStatus = ClientErrorStatus | ServerErrorStatus;

export function isStatus(status: number): status is StatusCode {
  return Object.hasOwn(STATUS_TEXT, status);
}

export function isInformationalStatus(status: number): status is InformationalStatus {
  return isStatus(status) && status < 200;
}

export function isSuccessfulStatus(status: number): status is SuccessfulStatus {
  return isStatus(status) && status >= 200 && status < 300;
}

export function isRedirectStatus(status: number): status is RedirectStatus {
  return isStatus(status) && status >= 300 && status < 400;
}

export function isClientErrorStatus(status: number): status is ClientErrorStatus {
  return isStatus(status) && status >= 400 && status < 500;
}

export function isServerErrorStatus(status: number): status is ServerErrorStatus {
  return isStatus(status) && status >= 500;
}

export function isErrorStatus(status: number): status is ErrorStatus {
  return isStatus(status) && status >= 400;
}
