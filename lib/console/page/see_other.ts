/** Redirects a browser that has posted a form to the page that shows the result. */
export function seeOther(location: string, headers: Headers = new Headers()): Response {
  headers.set("location", location);
  return new Response(null, { status: 303, headers });
}
