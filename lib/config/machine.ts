/** Variables that a cloud sets on its machines, with their identity. */
export const machineVariables = [
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_REGION",
  "AWS_DEFAULT_REGION",
  "AWS_ROLE_ARN",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
  "AWS_CONTAINER_CREDENTIALS_FULL_URI",
  "AWS_CONTAINER_AUTHORIZATION_TOKEN",
  "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
  "AWS_EC2_METADATA_SERVICE_ENDPOINT",
  "GCE_METADATA_HOST",
  "AZURE_TENANT_ID",
  "AZURE_CLIENT_ID",
  "AZURE_AUTHORITY_HOST",
  "AZURE_FEDERATED_TOKEN_FILE",
  "IDENTITY_ENDPOINT",
  "IDENTITY_HEADER",
] as const;

type MachineVariables = Readonly<Partial<Record<typeof machineVariables[number], string>>>;

/** The identity that the cloud gave to the gateway's machine. Its variables may hold secrets. */
export interface MachineSettings {
  readonly variables: MachineVariables;
  /** True if upstreams added in the console may use it; those of the file always may. */
  readonly isForAll: boolean;
}

export function machineSettings(variables: MachineVariables, isForAll: boolean): MachineSettings {
  const known = machineVariables.filter((name) => variables[name] !== undefined);
  return { variables: Object.fromEntries(known.map((name) => [name, variables[name]])), isForAll };
}
